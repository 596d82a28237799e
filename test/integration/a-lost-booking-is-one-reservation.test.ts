import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awaitBookingUpdate, notMadeCode, resolutionMark } from '../../src/contract/booking.js';
import { bookingWorkflow, bookingWorkflowId } from '../../src/contract/names.js';
import type { PlaceInInbox } from '../../src/domain/booking/types.js';
import { createAnnouncements } from '../../src/inbox/announcements.js';
import { toArrival } from '../../src/inbox/receive/arrival.js';
import { createBookingStore } from '../../src/store/bookings/bookings.js';
import { createBookingReads } from '../../src/store/bookings/reads.js';
import { resolveBooking } from '../../src/store/bookings/resolve.js';
import { storeBooking } from '../../src/store/bookings/rows.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { audit, bookings } from '../../src/store/schema.js';
import { outcomeWithin } from '../../src/temporal/client/once.js';
import { aReservation, pathOf, reservationBody, wire } from '../support/callbacks.js';
import { embeddedLane, onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { contentHashes, sealer } from '../support/intake.js';
import { wireProfiles } from '../support/wire-profiles.js';

describe.each(wireProfiles)('bookings under the $name profile', (profile) => {
  const lane = embeddedLane();
  let database: HandoverDatabase;
  let parts: HandoverParts;
  beforeAll(async () => {
    database = await lane.open();
    parts = await startHandoverParts(database, { profile, worker: true, timeoutMs: 1_500 });
  }, 60_000);
  afterAll(async () => {
    await parts?.stop();
    await database?.close();
  }, 60_000);

  const body = (changes: object = {}) => parts.platform.bookingBody(changes);
  const book = (key: string, json: object) => parts.ask('POST', '/api/reservations', { key, json });
  const fault = (effect: object, more: object = {}) =>
    parts.platform.control('PUT', '/faults', { calls: [{ operation: 'book', nth: 1, effect, ...more }] });
  /** Requests to book that reached the platform. */
  const requests = async () => {
    const { body } = await parts.platform.control('GET', '/journal?kind=request&limit=500');
    return body.items.filter(({ operation }: { operation: string }) => operation === 'book').length;
  };
  const settled = (key: string, json: object) =>
    eventually('the booking is settled', async () => {
      const answer = await book(key, json);
      return answer.status === 202 ? undefined : answer;
    });
  const shown = async (key: string) => (await parts.ask('GET', `/api/bookings/${key}`)).body;

  it('F37: the status string of the answer is stored in the booking and on its reservation', async () => {
    const key = randomUUID();
    const { status, body: answer } = await book(key, body());
    expect(status).toBe(201);
    expect(answer).toMatchObject({ status: profile.behaviour.bookingStatus, settledBy: 'answer' });
    const view = await eventually('the registration', async () => {
      const view = await parts.view(answer.reservationId);
      return view?.registered ? view : undefined;
    });
    expect(view).toMatchObject({
      status: { code: 5, grade: 'observed' },
      booking: { commandId: key, status: profile.behaviour.bookingStatus, carNumber: answer.carNumber },
      marks: [],
    });
    expect(await shown(key)).toMatchObject({ state: 'applied', status: answer.status, request: null });
    const { body: again } = await book(key, { ...body(), productId: 302 });
    expect(again.code).toBe('COMMAND_ID_REUSED');
  });

  it.each([
    { kind: 'reset', applied: true },
    { kind: 'hang', applied: true },
  ])(
    'F32: a booking whose answer is lost ($kind) is resolved by the registration, and is sent once',
    async (effect) => {
      const before = await requests();
      await fault(effect);
      const key = randomUUID();
      const json = body();
      const first = await book(key, json);
      expect([201, 202]).toContain(first.status);
      const answer = await settled(key, json);
      expect(answer).toMatchObject({ status: 201, body: { status: null, settledBy: 'callback' } });
      expect((await requests()) - before).toBe(1);
      const { reservationId } = answer.body;
      const view = await eventually('both have reported it', async () => {
        const view = await parts.view(reservationId);
        return view?.registered && view.booking !== undefined ? view : undefined;
      });
      expect(view.booking).toMatchObject({ commandId: key, settledBy: 'callback', status: null });
      const entries = await database.db.select().from(audit).where(eq(audit.commandId, key));
      expect(entries).toMatchObject([
        { action: 'booking.create', subject: `booking/${key}`, data: { outcome: 'applied', reservationId } },
      ]);
      expect(JSON.stringify(entries)).not.toContain(json.driver.name);
    },
  );

  it('F30: a run that was reset to before its request sends nothing', async () => {
    const key = randomUUID();
    const { status, body: answer } = await book(key, body());
    expect(status).toBe(201);
    const sent = await requests();
    const { result } = await reset(bookingWorkflowId(key), 'book');
    expect(await result).toEqual({ outcome: 'unknown', code: 'RUN_LOST' });
    expect(await requests()).toBe(sent);
    expect(await shown(key)).toMatchObject({ state: 'applied', reservationId: answer.reservationId });
  });

  it('F30: a booking whose workflow was terminated is searched for when the request is repeated', async () => {
    const before = await requests();
    await fault({ kind: 'hang', applied: true });
    const key = randomUUID();
    const json = body();
    const first = book(key, json);
    await eventually('it is sent', async () => (await requests()) > before);
    await parts.engine.client.workflow.getHandle(bookingWorkflowId(key)).terminate('by hand');
    expect((await first).status).toBe(202);
    expect(await settled(key, json)).toMatchObject({ status: 201, body: { settledBy: 'callback' } });
    expect((await requests()) - before).toBe(1);
  });

  /** What a person does in Temporal UI: the workflow begins again where it asked for an activity. */
  async function reset(workflowId: string, activity: string) {
    const { client } = parts.engine;
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const asked = events?.find(
      ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name === activity,
    )?.activityTaskScheduledEventAttributes;
    const { runId } = await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId },
      requestId: randomUUID(),
      workflowTaskFinishEventId: asked?.workflowTaskCompletedEventId ?? null,
      reason: 'a test',
    });
    return { result: client.workflow.getHandle(workflowId, runId ?? undefined).result() };
  }

  it('a caller that waits for an answer polls Temporal once, not repeatedly until its deadline', async () => {
    const { client } = parts.engine;
    const asked = vi.spyOn(client.workflowService, 'getWorkflowExecutionHistory');
    const workflowId = bookingWorkflowId('without-a-worker');
    await client.workflow.start(bookingWorkflow, { workflowId, taskQueue: 'without a worker', args: [] });
    const waiting = { update: awaitBookingUpdate, withinMs: 1_500 };
    expect(await outcomeWithin(client, { workflowId }, waiting)).toEqual({ outcome: 'pending' });
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    asked.mockRestore();
    await client.workflow.getHandle(workflowId).terminate('the test is over');
  });

  it('F35: a person resolves a booking that was not made, and the same key returns that answer', async () => {
    const before = await requests();
    await fault({ kind: 'reset', applied: false });
    const key = randomUUID();
    const json = body();
    expect(await book(key, json)).toMatchObject({
      status: 202,
      body: { commandId: key, outcome: 'unknown' },
    });
    const { body: listed } = await parts.ask('GET', '/api/bookings?state=unknown');
    expect(listed.items.map(({ commandId }: { commandId: string }) => commandId)).toContain(key);
    expect(await shown(key)).toMatchObject({ candidates: [], request: { driver: json.driver } });
    const settle = (id: string) =>
      parts.ask('POST', `/api/bookings/${key}/resolve`, {
        key: id,
        json: { outcome: 'rejected', reason: 'the platform has none' },
      });
    const id = randomUUID();
    expect(await settle(id)).toMatchObject({ status: 200, body: { state: 'rejected', settledBy: 'person' } });
    expect(await settle(id)).toMatchObject({ status: 200 });
    expect(await settle(randomUUID())).toMatchObject({ status: 409, body: { code: 'BOOKING_SETTLED' } });
    expect(await settled(key, json)).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_MADE' } });
    expect(await requests()).toBe(before + 1);
  });

  it('F33: of two lost bookings that are alike a person assigns one its reservation, and the other finds its own', async () => {
    await fault({ kind: 'reset', applied: true }, { times: 2 });
    const json = body();
    const keys = [randomUUID(), randomUUID()] as const;
    await Promise.all(keys.map((key) => book(key, json)));
    const [one] = await Promise.all(
      keys.map((key) =>
        eventually('it is ambiguous', async () => {
          const booking = await shown(key);
          return booking.state === 'ambiguous' && booking.candidates.length === 2 ? booking : undefined;
        }),
      ),
    );
    const ids = one.candidates.map(({ reservationId }: { reservationId: number }) => reservationId);
    const settle = (key: string, reservationId: number) =>
      parts.ask('POST', `/api/bookings/${key}/resolve`, {
        key: randomUUID(),
        json: { outcome: 'applied', reservationId, reason: 'compared on the web site' },
      });
    const other = await parts.platform.booked({ productId: 302 });
    await eventually('the other is known', () => parts.view(other));
    expect(await settle(keys[0], other)).toMatchObject({ status: 409, body: { code: 'BOOKING_DIFFERS' } });
    expect(await settle(keys[0], ids[0])).toMatchObject({ status: 200, body: { reservationId: ids[0] } });
    expect((await settled(keys[1], json)).body).toMatchObject({
      reservationId: ids[1],
      settledBy: 'callback',
    });
  });
});

onOneDatabase('bookings in the database', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database?.close());

  const request = {
    productId: 7,
    startAt: Date.UTC(2027, 0, 1),
    endAt: Date.UTC(2027, 0, 2),
    pickupAddress: 'Station exit 3',
    driver: { name: 'A', birth: '19900101', phone: '01012345678', licenseNumber: '1', address: 'B' },
  };
  const kept = async (commandId: string, runId = 'run-1') =>
    storeBooking(database.db, sealer, { start: { commandId, by: 'kim', request }, runId, at: Date.now() });
  const claim = (commandId: string, settledBy: 'answer' | 'callback') =>
    resolveBooking(database.db, sealer, {
      commandId,
      at: Date.now(),
      end: {
        outcome: 'applied',
        reservationId: 8421,
        status: null,
        carNumber: null,
        settledBy,
        pickupAt: request.startAt,
        returnAt: request.endAt,
      },
    });

  it('F30: a booking is stored once, by one run', async () => {
    const id = randomUUID();
    expect(await kept(id)).toBe('kept');
    expect(await kept(id)).toBe('kept');
    expect(await kept(id, 'run-2')).toBe('known');
    const { db, prompt } = database;
    const announcements = createAnnouncements(db, { wire, sealer });
    const bookingStore = createBookingStore({ db, prompt, sealer, announcements });
    expect(await bookingStore.mayBeSentBy(id, 'run-1')).toBe(true);
    expect(await bookingStore.mayBeSentBy(id, 'run-2')).toBe(false);
    expect(await bookingStore.mayBeSentBy('of 0.1.0', 'run-2')).toBe(true);
  });

  it('L21, F35: a resolution is stored with a mark of its content; a repeat with another reason is another one', async () => {
    const id = randomUUID();
    await kept(id);
    const resolve = (reason: string) =>
      resolveBooking(database.db, sealer, {
        commandId: id,
        at: Date.now(),
        end: { outcome: 'rejected', code: notMadeCode, message: '', settledBy: 'person' },
        person: { by: 'lee', reason, settlementId: 's-1' },
      });
    expect(await resolve('none on the web site')).toEqual({ kind: 'settled' });
    expect(await resolve('none on the web site')).toEqual({ kind: 'settled' });
    expect(await resolve('none in its list')).toEqual({ kind: 'other' });
    const known = await createBookingReads(database.db, sealer).find(id);
    const mark = resolutionMark({ outcome: 'rejected', reason: 'none on the web site' });
    expect(known).toMatchObject({ settlementId: 's-1', settlementMark: mark });
    const [row] = await database.db.select().from(bookings).where(eq(bookings.commandId, id));
    expect(row?.settlementMark?.toString()).not.toContain(mark);
  });

  it('F32: of many simultaneous claims of one reservation one holds; an answer needs no claim', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID());
    for (const id of ids) await kept(id);
    const ends = await Promise.all(ids.map((id) => claim(id, 'callback')));
    expect(ends.filter(({ kind }) => kind === 'settled')).toHaveLength(1);
    expect(ends.filter(({ kind }) => kind === 'claimed')).toHaveLength(11);
    const winner = ids[ends.findIndex(({ kind }) => kind === 'settled')] ?? '';
    expect(await claim(winner, 'callback')).toEqual({ kind: 'settled' });
    const loser = ids.find((id) => id !== winner) ?? '';
    expect(await claim(loser, 'callback')).toEqual({ kind: 'claimed', commandId: winner });
    expect(await claim(loser, 'answer')).toEqual({ kind: 'settled' });
    expect(await claim(winner, 'answer')).toEqual({ kind: 'other' });
  });

  it('F31: each callback is read once, page by page, however many came in one millisecond', async () => {
    const store = createInboxStore(database, sealer);
    const receivedAt = Date.UTC(2027, 0, 1);
    const ids = Array.from({ length: 7 }, (_, index) => 9_000 + index);
    for (const [index, id] of ids.entries()) {
      const raw = Buffer.from(reservationBody(index % 2 === 0 ? 'registration' : 'update', aReservation(id)));
      const channel = index % 2 === 0 ? ('registration' as const) : ('update' as const);
      const headers = { 'webhook-id': randomUUID() };
      const given = {
        channel,
        path: pathOf(channel),
        headers,
        raw,
        receivedAt: receivedAt + (index > 4 ? 1 : 0),
      };
      await store.store(toArrival(given, { wire, contentHashes }));
    }
    const announcements = createAnnouncements(database.db, { wire, sealer });
    const read: number[] = [];
    let after: PlaceInInbox | undefined;
    do {
      const page = await announcements.read({ from: receivedAt, limit: 2, ...(after && { after }) });
      read.push(...page.announcements.map(({ reservationId }) => reservationId));
      after = page.more;
    } while (after !== undefined);
    expect(read).toEqual(ids);
    expect(await announcements.registered(ids)).toEqual(expect.arrayContaining([9_000, 9_002, 9_004, 9_006]));
    expect(await announcements.registered([9_001])).toEqual([]);
    expect((await announcements.read({ from: receivedAt + 1, limit: 9 })).announcements).toHaveLength(2);
  });
});
