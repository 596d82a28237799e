import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import type { Reservation } from '../../src/platform/model.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { audit, inbox, inboxReplays } from '../../src/store/schema.js';
import { aReservation, pathOf, reservationBody, signedHeaders, statusBody } from '../support/callbacks.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { startRecordingWorker } from '../support/recording-worker.js';

const lane = embeddedLane();
const reason = 'Hong Gil-dong asked for it';
const driver = 'Hong Gil-dong';
let database: HandoverDatabase;
let parts: HandoverParts;
let stopWorker: () => Promise<void>;
let id = 93_000;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database, { policy: { settleMs: 300 } });
  stopWorker = await startRecordingWorker(parts, database);
}, 120_000);
afterAll(async () => {
  await stopWorker?.();
  await parts?.stop();
  await database?.close();
}, 30_000);
beforeEach(() => {
  id += 1;
});
afterEach(() => vi.restoreAllMocks());

const now = Date.now();
const facts = (more: Partial<Reservation> = {}) =>
  aReservation(id, { driverName: driver, startAt: now + 3_600_000, endAt: now + 7_200_000, ...more });

/** Posts a callback; its row, when it has its verdict. */
async function callback(kind: 'registration' | 'update' | 'status', body: string): Promise<number> {
  const { status } = await fetch(parts.api + pathOf(kind), {
    method: 'POST',
    headers: signedHeaders(body),
    body,
  });
  expect(status).toBe(204);
  const [row] = await rows(sql`${inbox.id} = (select max(id) from inbox)`);
  await judged(row?.id ?? 0);
  return row?.id ?? 0;
}
const rows = (where = eq(inbox.reservationId, id)) =>
  database.db.select().from(inbox).where(where).orderBy(asc(inbox.id));
const judged = (row: number) =>
  eventually('its verdict', async () => {
    const [found] = await rows(eq(inbox.id, row));
    return found?.state === 'done' && found;
  });
const registered = () => callback('registration', reservationBody('registration', facts()));
const updated = (more: Partial<Reservation>) => callback('update', reservationBody('update', facts(more)));

/** A profile that cannot read updates, until it is fixed. */
function breakProfile(): { fix(): void } {
  const { callbacks } = parts.setting.profile;
  const decode = callbacks.decode.bind(callbacks);
  const spy = vi.spyOn(callbacks, 'decode').mockImplementation((kind, body) => {
    if (kind === 'update') throw new Error('not of this profile');
    return decode(kind, body);
  });
  return { fix: () => spy.mockRestore() };
}

const post = (path: string, json: object = {}) => parts.ask('POST', path, { json: { reason, ...json } });
const event = async (row: number) => (await parts.ask('GET', `/api/inbox/${row}`)).body;
const handle = () => parts.engine.client.workflow.getHandle(reservationWorkflowId(id));

/** Everything that a dry run must not touch. */
async function traces() {
  const described = await handle()
    .describe()
    .then(
      ({ historyLength, runId }) => ({ historyLength, runId }),
      () => 'no workflow',
    );
  return {
    described,
    view: await parts.view(id),
    rows: await rows(sql`true`),
    replays: await database.db.select().from(inboxReplays),
    audit: await database.db.select().from(audit),
  };
}

it('L63: an event that the profile could not read takes effect once the profile is fixed', async () => {
  await registered();
  const profile = breakProfile();
  const row = await updated({ reservationStatus: 10, carId: 77 });
  expect(await event(row)).toMatchObject({
    reservationId: null,
    state: 'done',
    verdict: 'invalid',
    rule: 'L63',
    event: null,
    unreadable: { code: 'NOT_IN_PROFILE' },
    timeline: [],
    replays: 0,
  });
  expect((await event(row)).raw.content).toContain(driver);
  profile.fix();
  expect(await event(row)).toMatchObject({ event: { status: 10, car: { id: 77 } }, unreadable: null });

  const before = await traces();
  const { status, body } = await post(`/api/inbox/${row}/replay?dryRun=true`);
  expect(status).toBe(200);
  expect(body.events).toMatchObject([
    {
      id: row,
      reservationId: id,
      verdict: 'invalid',
      code: null,
      foreseen: { verdict: 'applied', rule: 'L18' },
    },
  ]);
  const changed = Object.fromEntries(
    body.events[0].changes.map((one: { field: string; before: unknown; after: unknown }) => [
      one.field,
      [one.before, one.after],
    ]),
  );
  expect(changed).toMatchObject({ 'status.code': [5, 10], 'car.id': [12, 77] });
  expect(await traces()).toEqual(before);

  expect(await post(`/api/inbox/${row}/replay`)).toMatchObject({
    status: 202,
    body: { events: [{ id: row, reservationId: id, replay: 1 }] },
  });
  expect(await judged(row)).toMatchObject({ verdict: 'applied', rule: 'L18', reservationId: id, replays: 1 });
  expect(await parts.view(id)).toMatchObject({ status: { code: 10 }, car: { id: 77 } });
  const shown = await event(row);
  expect(shown.timeline).toMatchObject([
    { kind: 'event', data: { inboxId: row, replay: 1, verdict: 'applied' } },
  ]);
  expect(shown.earlier).toMatchObject([
    { replay: 1, verdict: 'invalid', rule: 'L63', reservationId: null, state: 'done' },
  ]);
  const { body: trail } = await parts.ask('GET', `/api/audit?subject=inbox/${row}`);
  expect(trail.items).toMatchObject([{ action: 'inbox.replay', reason, data: { id: row, events: 1 } }]);
});

it('an event that reads as before is a duplicate: nothing changes, and the row shows the newest verdict', async () => {
  await registered();
  const first = await updated({ reservationStatus: 10, carId: 77 });
  await updated({ reservationStatus: 10, carId: 78 });
  const believed = await parts.view(id);
  for (const [replay, row] of [first, first].entries()) {
    expect((await post(`/api/inbox/${row}/replay`)).body.events).toMatchObject([{ replay: replay + 1 }]);
    expect(await judged(row)).toMatchObject({ verdict: 'duplicate', replays: replay + 1 });
  }
  expect(await parts.view(id)).toEqual({ ...believed, sequence: expect.any(Number) });
  expect((await event(first)).earlier).toMatchObject([{ verdict: 'applied' }, { verdict: 'duplicate' }]);
});

it('a field that only today’s profile can read takes effect', async () => {
  const { callbacks } = parts.setting.profile;
  const decode = callbacks.decode.bind(callbacks);
  const spy = vi.spyOn(callbacks, 'decode').mockImplementation((kind, body) => {
    const read = decode(kind, body);
    if (!('reservation' in read)) return read;
    const { parkingMemo: _, ...reservation } = read.reservation;
    return { ...read, reservation };
  });
  await registered();
  const row = await updated({ reservationStatus: 10, parkingMemo: 'B2, pillar 14' });
  expect((await parts.view(id))?.parking.memo).toBeNull();
  spy.mockRestore();
  await post(`/api/inbox/${row}/replay`);
  expect(await judged(row)).toMatchObject({ verdict: 'applied' });
  expect((await parts.view(id))?.parking.memo).toBe('B2, pillar 14');
});

it('a dead letter that is put back reaches its workflow', async () => {
  await registered();
  const profile = breakProfile();
  const row = await updated({ reservationStatus: 10 });
  profile.fix();
  await database.db
    .update(inbox)
    .set({
      state: 'dead',
      verdict: null,
      rule: null,
      verdictAt: null,
      failures: 10,
      lastError: 'INVALID_ARGUMENT',
    })
    .where(eq(inbox.id, row));
  const intake = async () => (await parts.ask('GET', '/api/intake')).body;
  await eventually('it is counted', async () => (await intake()).deadLetters === 1);
  expect(await event(row)).toMatchObject({ state: 'dead', lastError: 'INVALID_ARGUMENT', failures: 10 });
  expect((await post('/api/inbox/replay', { state: 'dead' })).body).toMatchObject({
    events: [{ id: row, replay: 1 }],
    nextCursor: null,
  });
  await judged(row);
  expect(await parts.view(id)).toMatchObject({ status: { code: 10 } });
  await eventually('it is counted no longer', async () => (await intake()).deadLetters === 0);
  expect(await intake()).toMatchObject({
    receiver: { acknowledgedMs: { p50: expect.any(Number), p99: expect.any(Number) } },
    silence: { lastEventAt: expect.any(String) },
  });
});

it('a preview of a selection applies the events one after the other, also for an unknown reservation, and starts nothing', async () => {
  const profile = breakProfile();
  const steps = [5, 10, 10, 15];
  const sent: number[] = [];
  for (const [index, reservationStatus] of steps.entries()) {
    sent.push(await updated({ reservationStatus, carId: 70 + index }));
  }
  profile.fix();
  const before = await traces();
  expect(before.described).toBe('no workflow');
  const { body } = await post('/api/inbox/replay?dryRun=true', { verdict: 'invalid', state: 'done' });
  expect(body.events.map((one: { id: number }) => one.id)).toEqual(sent);
  expect(body.events.map((one: { foreseen: unknown }) => one.foreseen)).toEqual([
    { verdict: 'applied', rule: 'L05' },
    { verdict: 'applied', rule: 'L18' },
    { verdict: 'applied', rule: 'L14' },
    { verdict: 'applied', rule: 'L18' },
  ]);
  expect(await traces()).toEqual(before);

  const from = new Date(now - 1_000).toISOString();
  expect((await post('/api/inbox/replay', { verdict: 'invalid', from })).body.events).toHaveLength(4);
  for (const row of sent) await judged(row);
  const verdicts = (await rows()).map(({ verdict, rule }) => ({ verdict, rule }));
  expect(verdicts).toEqual(body.events.map((one: { foreseen: unknown }) => one.foreseen));
  expect(await parts.view(id)).toMatchObject({ status: { code: 15 }, car: { id: 73 } });
});

it('L08: a closed reservation stays closed: the preview and the replay give after-terminal, and no workflow starts', async () => {
  await registered();
  const row = await updated({ reservationStatus: 10, carId: 77 });
  await callback('status', statusBody(id, 40));
  const ended = async () => (await handle().describe()).status.name === 'COMPLETED';
  // cancelled with the car under way: staff have to bring it back first
  await parts.ask('POST', `/api/reservations/${id}/attention/retrieve-car/resolve`, {
    key: `back-${id}`,
    json: { reason },
  });
  await eventually('its workflow is over', ended, 20_000);
  const { runId } = await handle().describe();
  const { body } = await post(`/api/inbox/${row}/replay?dryRun=true`);
  expect(body.events).toMatchObject([{ foreseen: { verdict: 'after-terminal', rule: 'L08' }, changes: [] }]);
  await post(`/api/inbox/${row}/replay`);
  expect(await judged(row)).toMatchObject({ verdict: 'after-terminal', rule: 'L08', replays: 1 });
  expect((await handle().describe()).runId).toBe(runId);
  expect(await ended()).toBe(true);
});

it('a reservation whose workflow was terminated accepts no event, and a dry run states this', async () => {
  await registered();
  const row = await updated({ reservationStatus: 10 });
  await handle().terminate('by hand');
  const { body } = await post(`/api/inbox/${row}/replay?dryRun=true`);
  expect(body.events).toMatchObject([{ foreseen: null, code: 'WORKFLOW_TERMINATED', changes: [] }]);
});

it('L60: a viewer sees no personal data of an event', async () => {
  const row = await registered();
  const token = parts.setting.config.tokens.find(({ role }) => role === 'viewer')?.token;
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${parts.api}/api/inbox/${row}`, { headers })).text();
  expect(text).not.toContain(driver);
  expect(JSON.parse(text)).toMatchObject({
    raw: null,
    event: { status: 5, driver: null, car: { id: 12 } },
    verdict: 'applied',
  });
});
