import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookingDeps, bookActivity, bookingActivities } from '../../activities/booking.js';
import type { BookingSending } from '../../src/contract/activities.js';
import type { BookingAttempt } from '../../src/contract/attempt.js';
import {
  type BookingResult,
  type BookingSearch,
  type BookingStart,
  type ResolveBookingInput,
  resolveBookingUpdate,
} from '../../src/contract/booking.js';
import { bookingWorkflow, bookingWorkflowId, reservationWorkflowId } from '../../src/contract/names.js';
import { viewQuery } from '../../src/contract/reservation.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { createAnnouncements } from '../../src/inbox/announcements.js';
import { toArrival } from '../../src/inbox/receive/arrival.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { type CallErrorCode, PlatformCallError } from '../../src/platform/errors.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createBookingStore } from '../../src/store/bookings/bookings.js';
import { resolveBooking } from '../../src/store/bookings/resolve.js';
import { markNotified, unsentBooking, unsentBookings } from '../../src/store/bookings/unsent.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { alerts, audit, bookings } from '../../src/store/schema.js';
import { notifyReservation } from '../../src/temporal/client/reservations/notify.js';
import { FakeAttempts } from '../support/attempts.js';
import { aReservation, pathOf, reservationBody, wire } from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { embeddedLane } from '../support/database.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { contentHashes, sealer } from '../support/intake.js';
import { day, hour, minute, policy, refusalOf } from '../support/reservations.js';
import { noRoles } from '../support/roles.js';
import { read } from '../support/sentences.js';
import { startTestWorker } from '../support/test-worker.js';

const lane = embeddedLane();
let database: HandoverDatabase;
let env: TestWorkflowEnvironment;
let stopWorker: () => Promise<void>;
const taskQueue = `bookings-${randomUUID()}`;
/** What the platform answers to each request, by command id; every request is counted. */
const answers = new Map<string, () => Promise<BookingAttempt>>();
const sent: string[] = [];
/** Reservations that their booking's run does not get to notify. */
const notNotified = new Set<number>();
/** Called when the look of a command id is due; it waits for the answer. */
const beforeLook = new Map<string, () => Promise<void>>();

beforeAll(async () => {
  database = await lane.open();
  env = await timeSkippingEnv();
  const { db, prompt } = database;
  const announcements = createAnnouncements(db, { wire, sealer });
  const deps: BookingDeps = {
    ...notifying(),
    alerts: createAlerts(db, { sealer, post: false }),
    bookingStore: createBookingStore({ db, prompt, sealer, announcements }),
    policy,
    async isClosed(reservationId) {
      if (notNotified.has(reservationId)) throw new Error('its run is ended before');
      return notifying().isClosed(reservationId);
    },
  };
  const kept = bookingActivities(deps);
  const sending = { gate: noRoles.gate, attempts: new FakeAttempts(), client: env.client, bookings: deps };
  stopWorker = await startTestWorker({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities: {
      ...new FakePlatform().activities(),
      ...kept,
      lookForBooking: async (look: BookingSearch) => {
        await beforeLook.get(look.commandId)?.();
        return kept.lookForBooking(look);
      },
      book: (start: BookingStart, how: BookingSending) =>
        bookActivity({ book: () => answerTo(start) } as unknown as PlatformClient, sending)(start, how),
    },
  });
}, 60_000);
/** The platform's answer to a request that leaves. */
async function answerTo({ commandId }: BookingStart): Promise<object> {
  sent.push(commandId);
  const answer = (await answers.get(commandId)?.()) ?? lost;
  if (answer.outcome === 'applied') return answer;
  throw new PlatformCallError(answer.code as CallErrorCode, 'no car is free', { operation: 'book' });
}

/** How reservations are notified. */
const notifying = () => ({
  client: env.client,
  queue: taskQueue,
  isClosed: createCaseFiles(database.db, sealer, [publicTestKey]).has,
  notified: (commandId: string, at: number) => markNotified(database.db, commandId, at),
});

afterAll(async () => {
  for (const workflowId of started) {
    await env.client.workflow
      .getHandle(workflowId)
      .terminate('the test is over')
      .catch(() => {});
  }
  await stopWorker?.();
  await env?.teardown();
  await database?.close();
}, 60_000);

/** The test server lists nothing: what these tests started, by id. */
const started = new Set<string>();

const lost: BookingAttempt = { outcome: 'unknown', code: 'TIMEOUT' };
const person = {
  name: 'A Person',
  birth: '19900101',
  phone: '01012345678',
  licenseNumber: '11-22-333333-44',
  address: 'A Street 1',
};
const start = Date.UTC(2027, 0, 1);
let bookingsMade = 0;
let lastReservation = 5_000;

/** A booking of a period of its own, with what its registration says. */
async function aBooking(more: { answer?: (made: Made) => Promise<BookingAttempt>; like?: Made } = {}) {
  bookingsMade += 1;
  const { like } = more;
  const startAt = like?.start.request.startAt ?? start + bookingsMade * day;
  const booking: BookingStart = {
    commandId: `${bookingsMade}-${randomUUID()}`,
    by: 'channel-1',
    matchMs: 2 * hour,
    request: {
      productId: 7,
      startAt,
      endAt: startAt + 4 * hour,
      pickupAddress: 'Station exit 3',
      pickupMemo: 'ring twice',
      driver: person,
    },
  };
  const made = new Made(booking);
  if (more.answer !== undefined) {
    const { answer } = more;
    answers.set(booking.commandId, () => answer(made));
  }
  await made.begin();
  return made;
}

class Made {
  constructor(readonly start: BookingStart) {}
  get id() {
    return this.start.commandId;
  }
  get handle() {
    return env.client.workflow.getHandle<() => Promise<BookingResult>>(bookingWorkflowId(this.id));
  }
  async begin(): Promise<void> {
    started.add(bookingWorkflowId(this.id));
    await env.client.workflow.start(bookingWorkflow, {
      workflowId: bookingWorkflowId(this.id),
      taskQueue,
      args: [this.start],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  }
  async row() {
    const [row] = await database.db.select().from(bookings).where(eq(bookings.commandId, this.id));
    return row;
  }
  async until(state: string): Promise<void> {
    await expect.poll(async () => (await this.row())?.state, { timeout: 10_000 }).toBe(state);
  }
  /** The registration that the platform sends, or another callback with the whole reservation. */
  async announce(
    reservationId = ++lastReservation,
    more: { kind?: 'registration' | 'update'; productId?: number | null; at?: number } = {},
  ): Promise<number> {
    started.add(reservationWorkflowId(reservationId));
    const { kind = 'registration', productId = 7 } = more;
    const { startAt, endAt } = this.start.request;
    const body = reservationBody(
      kind,
      aReservation(reservationId, {
        startAt,
        endAt,
        driverName: person.name,
        driverBirth: person.birth,
        driverPhone: person.phone,
        driverLicenseNumber: person.licenseNumber,
        ...(productId !== null && { productInfo: { productId, carId: 12 } }),
      }),
    );
    const receivedAt = more.at ?? (await env.currentTimeMs());
    const headers = { 'webhook-id': randomUUID() };
    const request = { channel: kind, path: pathOf(kind), headers, raw: Buffer.from(body), receivedAt };
    await createInboxStore(database, sealer).store(toArrival(request, { wire, contentHashes }));
    return reservationId;
  }
  settle(input: Partial<ResolveBookingInput>): Promise<unknown> {
    const settlementId = randomUUID();
    return this.handle.executeUpdate<unknown, [ResolveBookingInput]>(resolveBookingUpdate, {
      updateId: settlementId,
      args: [{ outcome: 'rejected', reason: 'asked the platform', by: 'lee', settlementId, ...input }],
    });
  }
  alerts() {
    return database.db.select().from(alerts).where(eq(alerts.subject, this.id));
  }
  audits() {
    return database.db.select().from(audit).where(eq(audit.commandId, this.id)).orderBy(audit.id);
  }
  get timesSent(): number {
    return sent.filter((id) => id === this.id).length;
  }
}

function viewOf(reservationId: number): Promise<ReservationView> {
  started.add(reservationWorkflowId(reservationId));
  return env.client.workflow
    .getHandle(reservationWorkflowId(reservationId))
    .query<ReservationView>(viewQuery);
}

const answered = async ({ start: { request } }: Made, reservationId: number): Promise<BookingAttempt> => ({
  outcome: 'applied',
  reservationId,
  status: 'CONFIRMED',
  carNumber: '12가3456',
  pickupAt: request.startAt,
  returnAt: request.endAt,
});

// first in the file: the server skips no time once a run was ended that had an activity on its way
it('F36: answer and callback, whichever comes first, make one reservation', async () => {
  const id = ++lastReservation;
  const booking = await aBooking({ answer: (made) => answered(made, id) });
  expect(await booking.handle.result()).toMatchObject({ reservationId: id, status: 'CONFIRMED' });
  expect(await viewOf(id)).toMatchObject({
    booking: { status: 'CONFIRMED', carNumber: '12가3456', settledBy: 'answer' },
    period: { grade: 'commanded' },
  });
  expect(await booking.row()).toMatchObject({ state: 'applied', status: 'CONFIRMED', request: null });
  // the registration never comes: exactly that is said
  await env.sleep(11 * minute);
  const { attention } = read(await viewOf(id));
  expect(attention.find(({ kind }) => kind === 'incomplete')?.message).toMatch(/accepted our booking/);
});

describe('F32: a callback resolves a booking whose answer was lost', () => {
  it('that came before the deadline of the answer: at once, and without an alert', async () => {
    const id = ++lastReservation;
    const booking = await aBooking({
      answer: async (made) => {
        await made.announce(id);
        return lost;
      },
    });
    const { startAt, endAt } = booking.start.request;
    expect(await booking.handle.result()).toEqual({
      outcome: 'applied',
      reservationId: id,
      status: null,
      carNumber: '12가3456',
      pickupAt: startAt,
      returnAt: endAt,
      settledBy: 'callback',
    });
    expect(booking.timesSent).toBe(1);
    expect(await booking.row()).toMatchObject({ state: 'applied', reservationId: id, request: null });
    expect(await booking.alerts()).toEqual([]);
    expect(await booking.audits()).toMatchObject([
      { action: 'booking.create', by: 'channel-1', data: { outcome: 'applied', settledBy: 'callback' } },
    ]);
    expect(await viewOf(id)).toMatchObject({
      status: { code: 5, grade: 'commanded' },
      booking: { commandId: booking.id, settledBy: 'callback', status: null },
      registered: false,
      pickup: { memo: 'ring twice' },
    });
  });

  it('F38: that comes an hour later, and its alert is cleared then', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    await env.sleep(hour);
    expect(await booking.alerts()).toMatchObject([{ kind: 'booking-unknown', clearedAt: null }]);
    const id = await booking.announce();
    expect(await booking.handle.result()).toMatchObject({ reservationId: id, settledBy: 'callback' });
    expect((await booking.alerts())[0]?.clearedAt).not.toBeNull();
    expect(booking.timesSent).toBe(1);
  });

  it('F38: its alert is cleared where its own attempt resolves it after Temporal had given the attempt up', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    await env.sleep(hour);
    expect(await booking.alerts()).toMatchObject([{ kind: 'booking-unknown', clearedAt: null }]);
    const { startAt, endAt } = booking.start.request;
    const end = {
      outcome: 'applied' as const,
      reservationId: ++lastReservation,
      status: 'CONFIRMED',
      carNumber: '12가3456',
      pickupAt: startAt,
      returnAt: endAt,
    };
    const at = await env.currentTimeMs();
    await resolveBooking(database.db, sealer, { commandId: booking.id, at, end });
    await booking.handle.result();
    expect((await booking.alerts())[0]?.clearedAt).not.toBeNull();
    expect(booking.timesSent).toBe(1);
  });

  it('an update does where the registration was lost; beside a registration it reports a change', async () => {
    const lonely = await aBooking();
    await lonely.until('unknown');
    const id = await lonely.announce(undefined, { kind: 'update' });
    expect(await lonely.handle.result()).toMatchObject({ reservationId: id });

    const booking = await aBooking();
    await booking.until('unknown');
    const other = await booking.announce(undefined, { productId: 8 });
    await booking.announce(other, { kind: 'update' });
    await env.sleep(10 * minute);
    expect(await booking.row()).toMatchObject({ state: 'unknown', candidates: [] });
  });

  it('F34: a reservation that was known before the request was sent does not', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    const before = (await env.currentTimeMs()) - 10 * minute;
    const old = await booking.announce(undefined, { at: before });
    await booking.announce(old, { kind: 'registration' });
    await env.sleep(10 * minute);
    expect(await booking.row()).toMatchObject({ state: 'unknown', candidates: [] });
  });
});

describe('F33, F35: a person resolves what no callback resolves', () => {
  it('no callback came: the booking is open until a person states that it was not made', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    await env.sleep(3 * hour);
    expect(await booking.row()).toMatchObject({ state: 'unknown', code: 'TIMEOUT' });
    await booking.settle({ outcome: 'rejected' });
    expect(await booking.handle.result()).toMatchObject({
      outcome: 'rejected',
      code: 'BOOKING_NOT_MADE',
      settledBy: 'person',
    });
    expect(await booking.audits()).toMatchObject([
      { action: 'booking.create', by: 'channel-1', data: { outcome: 'rejected' } },
      { action: 'booking.resolve', by: 'lee' },
    ]);
    expect((await booking.alerts())[0]?.clearedAt).not.toBeNull();
    expect(booking.timesSent).toBe(1);
  });

  it('two managers resolve it during one search: both get an answer, and the booking ends', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    const settling: Promise<unknown>[] = [];
    beforeLook.set(booking.id, async () => {
      beforeLook.delete(booking.id);
      for (const by of ['lee', 'kim']) {
        const settled = booking.settle({ by });
        settling.push(settled.catch(() => refusalOf(settled)));
      }
      await expect.poll(() => accepted(booking)).toBe(2);
    });
    await env.sleep(minute);
    expect(await booking.handle.result()).toMatchObject({ code: 'BOOKING_NOT_MADE' });
    const answers = await Promise.all(settling);
    expect(answers).toContain('settled');
    expect(answers).toContainEqual(expect.objectContaining({ code: 'BOOKING_SETTLED' }));
    expect(await booking.audits()).toHaveLength(2);
  });

  /** Updates in its history. */
  async function accepted(booking: Made): Promise<number> {
    const { events } = await booking.handle.fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
  }

  it('a callback that names no product waits for a person', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    const id = await booking.announce(undefined, { productId: null });
    await env.sleep(minute);
    expect(await booking.row()).toMatchObject({ state: 'ambiguous', candidates: [{ reservationId: id }] });
    await booking.settle({ outcome: 'applied', reservationId: id });
    expect(await booking.handle.result()).toMatchObject({ reservationId: id, settledBy: 'person' });
    expect(await viewOf(id)).toMatchObject({
      status: { grade: 'asserted', source: { kind: 'person', id: 'lee' } },
    });
  });

  it('two alike, two callbacks: each reservation is claimed once, and the other booking is resolved by itself', async () => {
    const one = await aBooking();
    const two = await aBooking({ like: one });
    await one.until('unknown');
    await two.until('unknown');
    const ids = [await one.announce(), await two.announce()] as const;
    await env.sleep(minute);
    for (const booking of [one, two]) {
      expect(await booking.row()).toMatchObject({
        state: 'ambiguous',
        candidates: ids.map((reservationId) => ({ reservationId })),
      });
      expect(await booking.alerts()).toHaveLength(1);
    }
    const [first] = await Promise.allSettled([
      one.settle({ outcome: 'applied', reservationId: ids[0] }),
      two.settle({ outcome: 'applied', reservationId: ids[0] }),
    ]);
    const [winner, loser] = first.status === 'fulfilled' ? [one, two] : [two, one];
    expect(await winner.handle.result()).toMatchObject({ reservationId: ids[0], settledBy: 'person' });
    expect(await loser.handle.result()).toMatchObject({ reservationId: ids[1], settledBy: 'callback' });
  });

  it('a reservation of another booking is refused; so is a booking that is on its way or resolved', async () => {
    const id = ++lastReservation;
    const taken = await aBooking({ answer: (made) => answered(made, id) });
    await taken.handle.result();
    const booking = await aBooking();
    await booking.until('unknown');
    expect(await refusalOf(booking.settle({ outcome: 'applied', reservationId: id }))).toMatchObject({
      code: 'RESERVATION_CLAIMED',
      message: expect.stringContaining(taken.id),
    });
    let answer = (_answer: BookingAttempt) => {};
    const slow = await aBooking({ answer: () => new Promise((resolve) => (answer = resolve)) });
    await expect.poll(() => slow.timesSent, { timeout: 10_000 }).toBe(1);
    expect(await refusalOf(slow.settle({}))).toMatchObject({ code: 'BOOKING_ON_ITS_WAY' });
    answer({ outcome: 'rejected', code: 'NO_AVAILABILITY', message: 'no car is free' });
    expect(await slow.handle.result()).toMatchObject({ outcome: 'rejected' });
    await booking.settle({ outcome: 'rejected' });
  });
});

describe('F30: a booking is stored before it is sent, and sent by one run only', () => {
  it('a run that finds it stored by another run sends nothing, and continues to search', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    await booking.handle.terminate('lost with its server');
    await booking.begin();
    const id = await booking.announce();
    expect(await booking.handle.result()).toMatchObject({ outcome: 'applied', reservationId: id });
    expect(booking.timesSent).toBe(1);
  });

  it('a database that was restored to an earlier moment stores it again', async () => {
    const booking = await aBooking();
    await booking.until('unknown');
    await database.db.delete(bookings).where(eq(bookings.commandId, booking.id));
    const id = await booking.announce();
    expect(await booking.handle.result()).toMatchObject({ outcome: 'applied', reservationId: id });
    expect(await booking.row()).toMatchObject({ state: 'applied', reservationId: id });
    expect(booking.timesSent).toBe(1);
  });
});

it('statements that a booking waits for use the prompt connections; a search of the callbacks does not', async () => {
  const { db } = database;
  const unused = new Proxy(db, {
    get: () => {
      throw new Error('another connection was used');
    },
  });
  const announcements = createAnnouncements(db, { wire, sealer });
  const waited = createBookingStore({ db: unused, prompt: db, sealer, announcements });
  const looks = createBookingStore({ db, prompt: unused, sealer, announcements });
  const { start } = await aBooking({
    answer: async () => ({ outcome: 'rejected', code: 'NO_AVAILABILITY', message: 'no car is free' }),
  });
  const commandId = randomUUID();
  expect(await waited.store({ start: { ...start, commandId }, runId: 'run-1', at: 1 })).toBe('kept');
  expect(await waited.mayBeSentBy(commandId, 'run-2')).toBe(false);
  expect(await looks.search({ commandId, code: 'TIMEOUT', from: Date.UTC(2100, 0) })).toEqual({
    kind: 'none',
  });
  const end = { outcome: 'rejected', code: 'BOOKING_NOT_MADE', message: 'not there' } as const;
  expect(await waited.resolve({ commandId, at: 2, end })).toEqual({ kind: 'settled' });
  await waited.markNotified(commandId, 3);
});

// last in the file: the server skips no time once a run that was ended leaves an activity to be tried again
describe('F36: the reservation is notified of its booking', () => {
  it('also where the run was ended after it had resolved the booking: from the row, once', async () => {
    const id = ++lastReservation;
    started.add(reservationWorkflowId(id));
    const booking = await aBooking({
      answer: async (made) => {
        notNotified.add(id);
        return answered(made, id);
      },
    });
    await booking.until('applied');
    await booking.handle.terminate('by hand');
    const unsent = async (before: number) => {
      const ids: string[] = [];
      for await (const commandId of unsentBookings(database.db, before)) ids.push(commandId);
      return ids;
    };
    expect(await unsent(0)).toEqual([]);
    expect(await unsent(Date.UTC(2100, 0))).toEqual([booking.id]);
    const news = await unsentBooking(database.db, sealer, booking.id);
    const notify = { ...notifying(), policy };
    if (news !== undefined) await notifyReservation(notify, news);
    expect(await viewOf(id)).toMatchObject({
      status: { code: 5, grade: 'commanded' },
      booking: { commandId: booking.id, settledBy: 'answer', status: 'CONFIRMED' },
      driver: { name: person.name },
    });
    expect(await unsent(Date.UTC(2100, 0))).toEqual([]);
    expect(await booking.row()).toMatchObject({ unsent: null, notifiedAt: expect.any(Number) });
  });

  it('the request is deleted once it is', async () => {
    const booking = await aBooking({ answer: (made) => answered(made, ++lastReservation) });
    expect(await booking.handle.result()).toMatchObject({ outcome: 'applied' });
    started.add(reservationWorkflowId(lastReservation));
    expect(await booking.row()).toMatchObject({ request: null, unsent: null });
  });
});
