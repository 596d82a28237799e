import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdWorkflowId } from '../../src/contract/hold.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';
import { createSureClient, type SureClient } from '../support/platform-client.js';
import { wireProfiles } from '../support/wire-profiles.js';

const run = promisify(execFile);
const hour = 3_600_000;
const day = 24 * hour;
const carId = 1001;

describe.each(wireProfiles)('under the $name wire profile', (profile) => {
  const lane = embeddedLane();
  let database: HandoverDatabase;
  let parts: HandoverParts;
  let platform: SureClient;
  beforeAll(async () => {
    database = await lane.open();
    parts = await startHandoverParts(database, { worker: true, profile, timeoutMs: 1_500 });
    platform = createSureClient({ baseUrl: parts.sandbox.url, profile, keys: platformKeys });
  });
  afterAll(async () => {
    await platform?.close();
    await parts?.stop();
    await database?.close();
  });

  const today = Math.floor(Date.now() / 1_000) * 1_000;
  const iso = (at: number) => new Date(at).toISOString();
  const period = (from: number, to: number) => ({ startAt: iso(today + from), endAt: iso(today + to) });
  const hold = (json: object, key: string = randomUUID()) => parts.ask('POST', '/api/holds', { key, json });
  const sendUpdate = (method: string, path: string, json?: object) =>
    parts.ask(method, `/api/holds/${path}`, { key: randomUUID(), ...(json !== undefined && { json }) });
  const scheduleOf = async (id: number) => {
    const startDate = iso(today - day).slice(0, 10);
    const groups = await platform.listSchedules({ startDate, endDate: iso(today + 90 * day).slice(0, 10) });
    return groups.flatMap((group) => (group.carId === id ? group.schedules : []));
  };
  const saleYn = async (productId: number, id: number) =>
    (await platform.listRelatedCars(productId)).find((car) => car.carId === id)?.saleYn;
  const stateOf = async (id: string) => (await parts.ask('GET', `/api/holds/${id}`)).body.state;
  const reaches = (id: string, state: string) =>
    eventually(`hold ${id} is ${state}`, async () => (await stateOf(id)) === state, 20_000, 100);

  it('F02-F04, F10: a hold sets the schedule entry, the memo and the sale status, and its release removes them', async () => {
    const asked = { carId, ...period(0, 2 * day), reason: 'maintenance', withdrawFromSale: true };
    const key = randomUUID();
    const { status, body } = await hold(asked, key);
    expect({ status, state: body.state }).toEqual({ status: 201, state: 'active' });
    const [entry] = await scheduleOf(carId);
    const startAt = Date.parse(body.period.start);
    expect(entry).toMatchObject({ scheduleType: 'S', startAt, endAt: today + 2 * day });
    expect(entry?.scheduleId).toBe(body.schedule.scheduleId);
    expect(await platform.listCarMemos(carId)).toMatchObject([
      { content: expect.stringContaining(`[hold ${key}] maintenance`) },
    ]);
    expect(await saleYn(301, carId)).toBe('N');
    // F15: the same request again returns the same hold, and another body is refused
    expect(await hold(asked, key)).toMatchObject({ status: 201, body: { holdId: key } });
    expect(await hold({ ...asked, reason: 'inspection' }, key)).toMatchObject({
      status: 409,
      body: { code: 'COMMAND_ID_REUSED' },
    });
    expect(await scheduleOf(carId)).toHaveLength(1);

    const extended = await sendUpdate('PUT', key, { endAt: iso(today + 3 * day) });
    expect({ status: extended.status, end: Date.parse(extended.body.period.end) }).toEqual({
      status: 200,
      end: today + 3 * day,
    });
    expect(await scheduleOf(carId)).toMatchObject([{ endAt: today + 3 * day }]);

    expect(await sendUpdate('DELETE', key, { reason: 'the part did not come' })).toMatchObject({
      status: 200,
      body: { state: 'released', open: false },
    });
    expect((await scheduleOf(carId)).filter(({ endAt }) => endAt > Date.now())).toEqual([]);
    expect(await saleYn(301, carId)).toBe('Y');
    expect(await sendUpdate('DELETE', key)).toMatchObject({ status: 409, body: { code: 'HOLD_OVER' } });
    const listed = await parts.ask('GET', `/api/holds?carId=${carId}&open=false`);
    expect(listed.body.items).toMatchObject([{ holdId: key, state: 'released', attention: [] }]);
    const { body: audit } = await parts.ask('GET', '/api/audit?action=sale-status.restore');
    expect(audit.items[0].data).toMatchObject({ before: 'N', after: 'Y', outcome: 'applied' });
  });

  it.runIf(profile === defaultProfile && has('curl'))(
    'the examples of docs/fleet.md print what the page shows',
    async () => {
      const section = readFileSync('docs/fleet.md', 'utf8')
        .split(/^## /m)
        .find((text) => text.startsWith('Holds'));
      const examples = [...(section ?? '').matchAll(/^```sh\n([\s\S]*?)^```\n\n```json\n([\s\S]*?)^```\n/gm)];
      expect(examples.length).toBeGreaterThan(4);
      const token = parts.setting.config.tokens.find(({ role }) => role === 'staff')?.token;
      const env = {
        PATH: process.env.PATH,
        NO_PROXY: '*',
        BASE: parts.api,
        JSON: 'Content-Type: application/json',
        STAFF: `Authorization: Bearer ${token}`,
        START: iso(today + 40 * day),
        END: iso(today + 42 * day),
      };
      for (const [, script = '', expected = ''] of examples) {
        const { stdout } = await run('bash', ['-euc', script], { env });
        const printed = JSON.parse(stdout);
        if ('items' in printed) printed.items = printed.items.slice(0, 1);
        expect(printed, script).toMatchObject(JSON.parse(expected));
      }
    },
  );

  it('F04: a release leaves what a person changed meanwhile', async () => {
    const key = randomUUID();
    const asked = { carId: 1002, ...period(0, day), reason: 'inspection', withdrawFromSale: true };
    expect((await hold(asked, key)).status).toBe(201);
    await platform.setSaleStatus(301, 1002, 'Y');
    await platform.setSaleStatus(301, 1002, 'N');
    await platform.setSaleStatus(301, 1002, 'Y');
    const { body } = await sendUpdate('DELETE', key);
    expect(body.sale).toEqual([{ productId: 301, state: 'changed' }]);
    expect(await saleYn(301, 1002)).toBe('Y');
  });

  it('F08: E011 names what is in the way, and the nearest free periods of the same length', async () => {
    const taken = { startAt: today + 2 * day, endAt: today + 3 * day };
    const other = await platform.addSchedule({ carId: 1003, ...taken, reason: '세차' });
    const { status, body } = await hold({ carId: 1003, ...period(1.5 * day, 2.5 * day), reason: 'repair' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'E011' });
    expect(body.inTheWay).toMatchObject([{ scheduleId: other.scheduleId, type: 'S', holdId: null }]);
    expect(Date.parse(body.free.before.end)).toBe(taken.startAt);
    expect(Date.parse(body.free.after.start)).toBe(taken.endAt);
    expect(await platform.listCarMemos(1003)).toEqual([]);
  });

  it('F07: a hold finds its entry whose answer was lost', async () => {
    const effect = { kind: 'hang', applied: true };
    await parts.platform.control('PUT', '/faults', {
      calls: [{ operation: 'addSchedule', effect, times: 1 }],
    });
    const key = randomUUID();
    const { status } = await hold({ carId: 1004, ...period(day, 2 * day), reason: 'repair' }, key);
    expect([201, 202]).toContain(status);
    await reaches(key, 'planned');
    await parts.platform.control('DELETE', '/faults');
    expect(await scheduleOf(1004)).toHaveLength(1);
    expect((await sendUpdate('DELETE', key)).body.state).toBe('released');
    expect(await scheduleOf(1004)).toEqual([]);
  });

  it('F01, F06, F09: an impossible hold is refused with its code, and no changing request is sent', async () => {
    await parts.platform.control('DELETE', '/journal');
    const base = { carId: 2001, reason: 'maintenance' };
    const codes = async (...bodies: object[]) =>
      Promise.all(bodies.map(async (json) => (await hold(json)).body.code));
    expect(
      await codes(
        { ...base, ...period(day, day) },
        { ...base, ...period(2 * day, day) },
        { ...base, ...period(-2 * day, -day) },
        { ...base, ...period(-day, day) },
        { ...base, ...period(0, 900 * day) },
        { ...base, ...period(0, day), carId: 999_999 },
        { ...base, ...period(0, day), carId: 3001 },
        { carId: 2001 },
        { proposalId: 'retrieve-car-1' },
      ),
    ).toEqual([
      'PERIOD_REVERSED',
      'PERIOD_REVERSED',
      'HOLD_IN_PAST',
      'HOLD_IN_PAST',
      'HOLD_TOO_FAR',
      'CAR_NOT_FOUND',
      'CAR_NOT_FOUND',
      'INVALID_BODY',
      'PROPOSAL_NOT_FOUND',
    ]);
    const unknown = await sendUpdate('DELETE', '17');
    expect(unknown.body).toMatchObject({ code: 'HOLD_NOT_FOUND', detail: expect.stringContaining('type R') });
    const { body } = await parts.platform.control('GET', '/journal?operation=addSchedule&kind=request');
    expect(body.items).toEqual([]);

    const key = randomUUID();
    expect((await hold({ ...base, ...period(day, 2 * day) }, key)).status).toBe(201);
    const overlapping = await hold({ ...base, ...period(1.5 * day, 3 * day) });
    expect(overlapping.body).toMatchObject({ code: 'HOLD_OVERLAPS', holdId: key });
    const next = randomUUID();
    expect((await hold({ ...base, ...period(3 * day, 4 * day) }, next)).status).toBe(201);
    const extended = await sendUpdate('PUT', key, { endAt: iso(today + 3.5 * day) });
    expect(extended.body).toMatchObject({ code: 'HOLD_OVERLAPS', holdId: next });
  });

  it('F14: one request accepts the hold that a reservation proposes, and a second request finds the first', async () => {
    const { startAt, endAt } = parts.platform.nextPeriod();
    const { reservationId } = await createPlatformClientBooking(startAt, endAt);
    await eventually('the reservation is known', async () => (await parts.view(reservationId)) !== undefined);
    await platform.dispatchStart(reservationId);
    await parts.platform.customer(reservationId, 'cancel');
    const proposalId = `retrieve-car-${reservationId}`;
    const proposed = await eventually(
      'the hold is proposed',
      async () => (await parts.view(reservationId))?.proposals.find((one) => one.proposalId === proposalId),
      20_000,
      100,
    );
    const [first, second] = [await hold({ proposalId }), await hold({ proposalId })];
    expect(first).toMatchObject({
      status: 201,
      body: { holdId: proposalId, carId: proposed.carId, reservationId },
    });
    expect(second).toMatchObject({ status: 201, body: { holdId: proposalId } });
    const own = (await scheduleOf(proposed.carId)).filter(({ reason }) => reason.includes(proposalId));
    expect(own).toHaveLength(1);
    const memos = await platform.listCarMemos(proposed.carId);
    expect(memos.filter(({ content }) => content.includes(`[reservation ${reservationId}]`))).toHaveLength(1);
    expect(await hold({ proposalId: `overdue-return-${reservationId}` })).toMatchObject({
      body: { code: 'PROPOSAL_GONE' },
    });
  });

  it.runIf(profile === defaultProfile)(
    'F16: the answer about a hold whose workflow was terminated states this, and the hold continues once the workflow is reset',
    async () => {
      const key = randomUUID();
      await hold({ carId: 1001, ...period(10 * day, 11 * day), reason: 'repair' }, key);
      const { client } = parts.engine;
      const handle = client.workflow.getHandle(holdWorkflowId(key));
      await handle.terminate('by mistake');
      expect(await sendUpdate('DELETE', key)).toMatchObject({
        status: 409,
        body: { code: 'HOLD_WORKFLOW_GONE', detail: expect.stringContaining('A manager closes the hold') },
      });
      const { body: gone } = await parts.ask('GET', `/api/holds/${key}`);
      expect(gone).toMatchObject({
        state: 'attention',
        attention: [{ kind: 'workflow-gone', message: expect.stringContaining('Reset the workflow') }],
      });
      const { events } = await handle.fetchHistory();
      const task = events?.findLast(({ workflowTaskCompletedEventAttributes: done }) => done != null);
      await client.workflowService.resetWorkflowExecution({
        namespace: client.options.namespace,
        requestId: randomUUID(),
        reason: 'a mistake',
        workflowExecution: { workflowId: holdWorkflowId(key) },
        workflowTaskFinishEventId: task?.eventId ?? null,
      });
      expect(await sendUpdate('DELETE', key)).toMatchObject({ status: 200, body: { state: 'released' } });
    },
  );

  it.runIf(profile === defaultProfile)(
    'F13, F16: a manager resolves a hold whose workflow was terminated, and its period is free again',
    async () => {
      const key = randomUUID();
      const asked = { carId: 1001, ...period(12 * day, 13 * day), reason: 'repair' };
      const { body: placed } = await hold(asked, key);
      await parts.engine.client.workflow.getHandle(holdWorkflowId(key)).terminate('by mistake');
      const { scheduleId } = placed.schedule;
      expect(await sendUpdate('POST', `${key}/resolve`, { reason: 'its workflow is gone' })).toMatchObject({
        status: 200,
        body: {
          state: 'resolved',
          open: false,
          attention: [{ left: expect.arrayContaining([`schedule/${scheduleId}`]) }],
        },
      });
      await platform.deleteSchedule(scheduleId);
      expect(await hold(asked)).toMatchObject({ status: 201, body: { state: 'planned' } });
    },
  );

  it.runIf(profile === defaultProfile)('F10: a hold ends by itself', async () => {
    const key = randomUUID();
    const now = Date.now();
    const asked = {
      carId: 2003,
      startAt: iso(now),
      endAt: iso(now + 3_000),
      reason: 'wash',
      withdrawFromSale: true,
    };
    expect((await hold(asked, key)).status).toBe(201);
    await reaches(key, 'ended');
    expect(await saleYn(302, 2003)).toBe('Y');
    expect(await scheduleOf(2003)).toHaveLength(1);
  });

  function createPlatformClientBooking(startAt: string, endAt: string) {
    return platform.book({
      productId: 302,
      startAt: Date.parse(startAt),
      endAt: Date.parse(endAt),
      pickupAddress: '서울역',
      driver: {
        name: '김시험',
        birth: '19900131',
        phone: '01000001234',
        licenseNumber: '00-00-000000-00',
        address: '서울시 중구 1',
      },
    });
  }
});

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
