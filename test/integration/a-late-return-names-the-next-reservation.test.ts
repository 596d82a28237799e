import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';
import { booking, createSureClient, type SureClient } from '../support/platform-client.js';
import { wireProfiles } from '../support/wire-profiles.js';

const hour = 3_600_000;
const second = 1_000;
/** Company 11 sells product 301 with the cars 1001 to 1004. */
const productId = 301;

describe.each(wireProfiles)('under the $name profile', (profile) => {
  const lane = embeddedLane();
  let database: HandoverDatabase;
  let parts: HandoverParts;
  let client: SureClient;
  let id: number;
  let carId: number;
  let end: number;
  let nextId: number;

  const view = async (): Promise<ReservationView> => {
    const shown = await parts.view(id);
    if (shown === undefined) throw new Error('it is not known');
    return shown;
  };
  const control = async (path: string, json?: object) => {
    const response = await fetch(`${parts.sandbox.url}/sandbox${path}`, {
      method: path === '/faults' ? 'PUT' : 'POST',
      ...(json && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }),
    });
    expect(response.status, path).toBeLessThan(300);
  };
  const truth = async (reservationId: number) =>
    (await (await fetch(`${parts.sandbox.url}/sandbox/reservations/${reservationId}`)).json()) as {
      carId: number;
    };
  const reaches = (status: number) =>
    eventually(`${status} is known`, async () => (await parts.view(id))?.status.code === status, 15_000, 50);

  beforeAll(async () => {
    database = await lane.open();
    parts = await startHandoverParts(database, { profile, worker: true });
    client = createSureClient({ baseUrl: parts.sandbox.url, profile, keys: platformKeys });
    const start = Math.ceil(Date.now() / second) * second + 2 * second;
    end = start + 3 * second;
    const booked = await client.book({ ...booking, productId, startAt: start, endAt: end });
    id = booked.reservationId;
    carId = (await truth(id)).carId;
    const next = await client.book({ ...booking, productId, startAt: end + 2 * hour, endAt: end + 5 * hour });
    nextId = next.reservationId;
    if ((await truth(nextId)).carId !== carId) await control(`/reservations/${nextId}/car`, { carId });
    await reaches(5);
    for (const action of ['dispatch.start', 'dispatch.complete'] as const) {
      expect((await parts.sendAction(id, action)).status).toBe(200);
    }
    await control(`/reservations/${id}/start-use`);
  });
  afterAll(async () => {
    await client?.close();
    await parts?.stop();
    await database?.close();
  });

  it('F60, F61: a late return names the next reservation of the car, and the cars that could replace it', async () => {
    const others = [1001, 1002, 1003, 1004].filter((one) => one !== carId);
    const [unsold, busy, ...free] = others as [number, number, number];
    await client.setSaleStatus(productId, unsold, 'N');
    await client.addSchedule({
      carId: busy,
      startAt: end + 3 * hour,
      endAt: end + 4 * hour,
      reason: 'inspection',
    });
    await eventually('it is in danger', async () => (await view()).danger !== null, 20_000, 100);
    const { danger, attention, proposals } = await view();
    const day = (instant: number) => new Date(instant + 9 * hour).toISOString().slice(0, 10);
    const groups = await client.listSchedules({ startDate: day(end), endDate: day(end + 6 * hour) });
    const entry = groups
      .flatMap(({ schedules }) => schedules)
      .find((one) => one.carId === carId && one.startAt === end + 2 * hour);
    expect(danger?.entry).toMatchObject({ scheduleId: entry?.scheduleId, type: 'R', reservationId: nextId });
    expect(danger?.candidates?.map((one) => one.id)).toEqual(free);
    expect(attention.map(({ kind }) => kind)).toEqual(['next-in-danger', 'return-late']);
    expect(attention[0]?.message).toContain(`reservation ${nextId} (R ${entry?.scheduleId})`);
    expect(proposals).toMatchObject([{ reason: 'overdue-return', carId, endAt: danger?.entry.startAt }]);
  });

  it('F63: the attention item is over when the car comes back', async () => {
    await control(`/reservations/${id}/return`);
    await reaches(30);
    expect(await view()).toMatchObject({ danger: null, attention: [], proposals: [] });
  });

  it('F57, F58: the note of a recall is one memo of the car, although the answer was lost and the action was repeated', async () => {
    await control('/faults', {
      calls: [{ operation: 'addCarMemo', effect: { kind: 'status', status: 503, applied: true } }],
    });
    const completeRecall = () =>
      parts.ask('PUT', `/api/reservations/${id}/recall/complete`, {
        key,
        json: { note: '왼쪽 문에 긁힘', override: true, reason: 'no photo needed' },
      });
    const key = randomUUID();
    expect((await completeRecall()).status).toBe(200);
    await eventually('it is kept', async () => (await view()).recall.note?.outcome === 'applied', 20_000, 50);
    expect((await completeRecall()).status).toBe(200);
    const memos = await client.listCarMemos(carId);
    expect(memos.map(({ content }) => content)).toEqual([`[reservation ${id}] 왼쪽 문에 긁힘`]);
    expect((await view()).recall.note).toMatchObject({ memoId: memos[0]?.memoId, carId, text: null });
    const auditEntries = async () => (await parts.ask('GET', '/api/audit?action=recall.note')).body.items;
    await eventually('it is in the audit', async () => (await auditEntries()).length > 0);
    expect(await auditEntries()).toMatchObject([
      { subject: `reservation/${id}`, commandId: key, data: { carId, outcome: 'applied' } },
    ]);
  });
});
