import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { taskQueue } from '../../src/contract/names.js';
import { type ReconciliationStart, reconciliationWorkflow } from '../../src/contract/reconciliation.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { bookingBody, peopleNamed } from '../../src/tools/player/people.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';
import { booking, createSureClient } from '../support/platform-client.js';

const { PendingActivityState } = proto.temporal.api.enums.v1;
const hour = 3_600_000;
const productId = 301;
/** More than connections would be, if bookings and calls shared a default number of them. */
const slots = 20;
const scanSlots = 4;
/** As slow as it may be without an unknown outcome: the client waits 10 s. */
const platformMs = 9_000;
const promptMs = 3_000;

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let acting: number[];
let idle: number;

const control = async (method: string, path: string, json?: object) => {
  const response = await fetch(`${parts.sandbox.url}/sandbox${path}`, {
    method,
    ...(json && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }),
  });
  expect(response.status, path).toBeLessThan(300);
};
const itemsOf = async (path: string) => {
  const { status, body } = await parts.ask('GET', path);
  expect(status, path).toBe(200);
  return body.items;
};

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database, {
    worker: true,
    env: { WORKER_PLATFORM_SLOTS: String(slots), WORKER_SCAN_SLOTS: String(scanSlots) },
  });
  const client = createSureClient({
    baseUrl: parts.sandbox.url,
    profile: defaultProfile,
    keys: platformKeys,
  });
  const ids: number[] = [];
  for (let day = 1; day <= slots + 3; day++) {
    const startAt = Date.now() + day * 24 * hour;
    ids.push((await client.book({ ...booking, productId, startAt, endAt: startAt + hour })).reservationId);
  }
  await client.close();
  for (const id of ids)
    await eventually(
      'its registration is known',
      async () => (await parts.view(id))?.status.code === 5,
      30_000,
    );
  [idle = 0, ...acting] = ids;
}, 120_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
});

it('queries, lists, callbacks, bookings and our own database work pass while every slot for calls waits for the platform', async () => {
  await control('PUT', '/faults', {
    calls: [{ operation: '*', times: 1_000, effect: { kind: 'latency', ms: platformMs } }],
  });
  let answered = 0;
  const actions = acting.map(async (id) => {
    await parts.sendAction(id, 'dispatch.staff');
    answered += 1;
  });
  const isOut = async (id: number) =>
    (await parts.view(id))?.commands.some(({ outcome }) => outcome === 'out');
  for (const id of acting) await eventually(`the action of ${id} is out`, () => isOut(id), promptMs);

  const prompt = (what: string, look: () => Promise<boolean>) => eventually(what, look, promptMs, 20);
  await prompt('a query answers', async () => (await parts.view(idle))?.status.code === 5);
  await prompt('the list answers', async () => (await itemsOf('/api/reservations')).length > acting.length);
  await control('POST', `/reservations/${idle}/cancel`);
  await prompt('a callback is applied', async () => (await parts.view(idle))?.status.code === 40);
  const holdStart = Date.now() + 90 * 24 * hour;
  const period = {
    startAt: new Date(holdStart).toISOString(),
    endAt: new Date(holdStart + hour).toISOString(),
  };
  const hold = parts.ask('POST', '/api/holds', {
    key: randomUUID(),
    json: { carId: 1001, ...period, reason: 'repair' },
  });
  await prompt('the row of a hold is written', async () => (await itemsOf('/api/holds')).length === 1);
  const startAt = Date.now() + 60 * 24 * hour;
  const order = bookingBody(peopleNamed('Slow'), { productId, startAt, endAt: startAt + hour });
  const booked = parts.ask('POST', '/api/reservations', { key: randomUUID(), json: order });
  await prompt('a booking leaves', async () => (await itemsOf('/api/bookings?state=out')).length === 1);
  expect(answered).toBe(0);

  // the booking above may wait for the platform itself: one that the platform answers at once waits for no other call
  await control('PUT', '/faults', { calls: [] });
  const later = startAt + 24 * hour;
  const quick = bookingBody(peopleNamed('Quick'), { productId, startAt: later, endAt: later + hour });
  const quicklyBooked = await parts.ask('POST', '/api/reservations', { key: randomUUID(), json: quick });
  expect(quicklyBooked.status).toBe(201);
  expect(answered).toBe(0);

  await Promise.all(actions);
  await Promise.all([hold, booked]);
  for (const id of acting)
    await eventually(
      'every action is applied',
      async () => (await parts.view(id))?.commands.every(({ outcome }) => outcome === 'applied'),
      60_000,
    );
}, 180_000);

it('a staff action passes while every slot for scans waits for the platform, and more scans wait for a slot', async () => {
  await control('PUT', '/faults', {
    calls: [{ operation: 'listSchedules', times: 1_000, effect: { kind: 'latency', ms: platformMs } }],
  });
  // more than all slots together: scans in the slots for calls would leave none
  const days = { daysBack: slots, daysAhead: slots, sliceDays: 1 };
  const start: ReconciliationStart = {
    window: { ...days, zoneOffsetMinutes: defaultProfile.zone.offsetMinutes },
  };
  const scan = await parts.engine.client.workflow.start(reconciliationWorkflow, {
    workflowId: 'reconciliation-slow',
    taskQueue,
    args: [start],
  });
  const areFull = async () => {
    const { waiting, begun } = await activitiesOf(scan);
    return begun === scanSlots && waiting > slots;
  };
  await eventually('every slot for scans is in use', areFull, 30_000);

  const [id = 0] = acting;
  const sentAt = performance.now();
  const { status } = await parts.sendAction(id, 'dispatch.start');
  expect(performance.now() - sentAt).toBeLessThan(promptMs);
  const { waiting } = await activitiesOf(scan);
  expect([status, waiting > slots]).toEqual([200, true]);
  await scan.terminate('the test is over');
}, 120_000);

/** How many of its activities a worker has begun, and how many wait for one. */
async function activitiesOf(handle: WorkflowHandle): Promise<{ begun: number; waiting: number }> {
  const { raw } = await handle.describe();
  const states = (raw.pendingActivities ?? []).map(({ state }) => state);
  const count = (wanted: number) => states.filter((state) => state === wanted).length;
  return {
    begun: count(PendingActivityState.PENDING_ACTIVITY_STATE_STARTED),
    waiting: count(PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED),
  };
}
