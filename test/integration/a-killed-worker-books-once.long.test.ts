import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAnnouncements } from '../../src/inbox/announcements.js';
import { createBookingStore } from '../../src/store/bookings/bookings.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import type { ActivityTrap, StoreCall } from '../support/crash/messages.js';
import { startTrappedWorker } from '../support/crash/started-worker.js';
import type { WorkerProcess } from '../support/crash/worker-process.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';

/**
 * The worker is killed (SIGKILL) before and after each step of the activity that books; each with how the booking ends.
 * Until the outcome is in its row nothing says whether the request has left, so it is never sent again.
 */
const boundaries = [
  { step: 'book', at: 'before-request', settledBy: null },
  { step: 'bookingStore.store', at: 'before-request', settledBy: null },
  { step: 'bookingStore.store', at: 'after-answer', settledBy: null },
  { step: 'attempts.record', at: 'before-request', settledBy: null },
  { step: 'attempts.record', at: 'after-answer', settledBy: null },
  { step: 'platform.book', at: 'before-request', settledBy: null },
  { step: 'platform.book', at: 'after-answer', settledBy: 'callback' },
  { step: 'bookingStore.resolve', at: 'before-request', settledBy: 'callback' },
  { step: 'bookingStore.resolve', at: 'after-answer', settledBy: 'answer' },
  { step: 'bookingStore.markNotified', at: 'before-request', settledBy: 'answer' },
  { step: 'bookingStore.markNotified', at: 'after-answer', settledBy: 'answer' },
  { step: 'book', at: 'after-answer', settledBy: 'answer' },
] as const;
type Boundary = (typeof boundaries)[number];
const keyOf = ({ step, at }: Boundary) => `${step}-${at}`;

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let worker: WorkerProcess;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database);
  const bookings: Promise<unknown>[] = [];
  for (const one of boundaries) {
    const about = keyOf(one);
    worker = await startWorker([{ activity: one.step, at: one.at, about }]);
    const json = parts.platform.bookingBody({ pickupMemo: about });
    bookings.push(parts.ask('POST', '/api/reservations', { key: about, json }));
    await eventually(`it stands at ${about}`, () => worker.trapped.length === 1, 30_000, 20);
    await worker.kill();
  }
  worker = await startWorker([]);
  await Promise.all(bookings);
}, 240_000);
afterAll(async () => {
  await worker?.kill();
  await parts?.stop();
  await database?.close();
}, 60_000);

function startWorker(activityTraps: ActivityTrap[]): Promise<WorkerProcess> {
  const { config, profile } = parts.setting;
  const sealer = createSealer(config.codec.keys);
  const { db, prompt } = database;
  const announcements = createAnnouncements(db, { wire: profile.callbacks, sealer });
  const bookingStore = createBookingStore({ db, prompt, sealer, announcements });
  const atBookings = async ({ name, args }: StoreCall) =>
    (bookingStore[name] as (...args: unknown[]) => Promise<unknown>)(...args);
  return startTrappedWorker(
    parts,
    database,
    { activityTraps, channelKey: platformKeys.channel },
    { atBookings },
  );
}

const shown = async (key: string) => (await parts.ask('GET', `/api/bookings/${key}`)).body;

it.each(boundaries)(
  'F30, F31: a worker killed at $step, $at, makes one reservation at most, resolved by: $settledBy',
  { timeout: 90_000 },
  async (boundary) => {
    const key = keyOf(boundary);
    const state = boundary.settledBy === null ? 'unknown' : 'applied';
    await eventually('it is known', async () => (await shown(key)).state === state, 80_000, 200);
    const { reservationId, settledBy } = await shown(key);
    expect(settledBy).toBe(boundary.settledBy);
    if (reservationId === null) return;
    const isNotified = async () => (await parts.view(reservationId))?.booking?.commandId === key;
    await eventually('its reservation was notified', isNotified, 30_000, 200);
  },
);

it('the platform received one request for each booking that was sent', async () => {
  const { body } = await parts.platform.control('GET', '/journal?kind=request&limit=500');
  const sent = body.items.filter(({ operation }: { operation: string }) => operation === 'book');
  expect(sent).toHaveLength(boundaries.filter(({ settledBy }) => settledBy !== null).length);
});
