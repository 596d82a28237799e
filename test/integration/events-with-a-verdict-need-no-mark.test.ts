import { asc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ReservationEvent } from '../../src/domain/reservation/types.js';
import { Relay, type RelayOptions } from '../../src/inbox/relay/relay.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createLateEvents } from '../../src/store/reservations/late-events.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { inbox, timeline } from '../../src/store/schema.js';
import { EventsRefusedError } from '../../src/temporal/client/reservations/send.js';
import { pathOf, statusBody, wire } from '../support/callbacks.js';
import { onEveryDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { policy } from '../support/reservation-story.js';

const minute = 60_000;

onEveryDatabase('what the relay sent', (lane) => {
  let database: HandoverDatabase;
  const relays: Relay[] = [];
  /** Inbox ids of each send. */
  const sends: number[][] = [];

  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    sends.length = 0;
    await database.db.delete(inbox);
    await database.db.delete(timeline);
  });
  afterAll(() => database.close());

  /** @param send after the ids were noted */
  const start = (
    options: Partial<RelayOptions>,
    send: (reservationId: number, events: ReservationEvent[]) => Promise<void> = async () => {},
  ): Relay => {
    const relay = new Relay({
      db: database.db,
      wire,
      sealer,
      recordLate: createLateEvents(database.db, policy.fromStates),
      log: pino({ level: 'silent' }),
      pollMs: 5,
      coalesceMs: 1,
      retry: { firstMs: 1, longestMs: 5 },
      ...options,
      send: async (reservationId, events) => {
        sends.push(events.map(({ inboxId }) => inboxId));
        await send(reservationId, events);
        return 'sent';
      },
    });
    relays.push(relay);
    relay.start();
    return relay;
  };
  let stored = 0;
  const store = async (reservationId: number, status = 5): Promise<number> => {
    stored += 1;
    await createInboxStore(database, sealer).store({
      identity: 'webhook-id',
      eventId: `msg_${stored}`,
      channel: 'status',
      path: pathOf('status'),
      reservationId,
      receivedAt: Date.now() - minute,
      headers: {},
      raw: Buffer.from(statusBody(reservationId, status)),
      contentHashes: [String(stored)],
    });
    return (await rows()).at(-1)?.id ?? 0;
  };
  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const states = async () => (await rows()).map(({ state }) => state);
  const areSent = (count: number) => eventually(`${count} are sent`, () => sends.flat().length >= count);
  const judge = (inboxId: number, verdict: 'applied' | 'duplicate' = 'applied') =>
    createRecorder(database.db)({
      reservationId: 1,
      verdicts: [{ inboxId, verdict, rule: 'L02' }],
      entries: [],
    });

  it('is sent once, and has its verdict without a mark before', async () => {
    const id = await store(1);
    start({ markAfterMs: minute });
    await areSent(1);
    const later = await store(1);
    await areSent(2);
    expect(await states()).toEqual(['received', 'received']);
    await judge(id);
    const [judged, open] = await rows();
    expect(judged).toMatchObject({ state: 'done', verdict: 'applied' });
    expect(judged?.sentAt).not.toBeNull();
    expect(open?.state).toBe('received');
    expect(sends).toEqual([[id], [later]]);
  });

  it('is marked where its verdict takes longer, with the time at which it was sent', async () => {
    const id = await store(1);
    let now = Date.now();
    start({ markAfterMs: minute, clock: () => now });
    await areSent(1);
    const sentAt = now;
    now += minute;
    await eventually('it is marked', async () => (await states())[0] === 'sent');
    expect((await rows())[0]).toMatchObject({ id, sentAt, verdict: null });
    await judge(id);
    expect((await rows())[0]).toMatchObject({ state: 'done', sentAt });
  });

  it('is marked at once where much of it waits, and at the stop', async () => {
    for (let i = 0; i < 100; i++) await store(1 + (i % 10));
    const relay = start({ markAfterMs: minute });
    await eventually(
      'all are marked',
      async () => (await states()).every((state) => state === 'sent'),
      30_000,
    );
    await store(1);
    await areSent(101);
    expect((await states()).at(-1)).toBe('received');
    await relay.stop();
    expect((await states()).at(-1)).toBe('sent');
  });

  it('L01: is sent again by the next relay where its process ended before the mark, and its first verdict stands', async () => {
    const [a, b] = [await store(1), await store(1)];
    start({ markAfterMs: minute });
    await areSent(2);
    await judge(a);
    // as after a kill: nothing of the first relay is left but its sends
    sends.length = 0;
    start({ markAfterMs: minute }, async (_, events) => {
      for (const { inboxId } of events) await judge(inboxId, 'duplicate');
    });
    await eventually('both have a verdict', async () => (await states()).every((state) => state === 'done'));
    expect(sends).toEqual([[b]]);
    await judge(b);
    expect((await rows()).map(({ verdict }) => verdict)).toEqual(['applied', 'duplicate']);
  });

  it('is sent again where a person has it read again, at once', async () => {
    const id = await store(1);
    start({ markAfterMs: minute });
    await areSent(1);
    await database.db.update(inbox).set({ replays: 1 }).where(eq(inbox.id, id));
    await areSent(2);
    expect(sends).toEqual([[id], [id]]);
  });

  it('is no dead letter where later events of its reservation are refused for good', async () => {
    const accepted = await store(1);
    let refuses = false;
    start({ markAfterMs: minute, maxRefusals: 2 }, async () => {
      if (refuses) throw new EventsRefusedError('WORKFLOW_TERMINATED', { whicheverEvent: true });
    });
    await areSent(1);
    refuses = true;
    const refused = await store(1, 10);
    await eventually('the later one is a dead letter', async () => (await states())[1] === 'dead');
    expect((await rows()).map(({ id, state }) => [id, state])).toEqual([
      [accepted, 'sent'],
      [refused, 'dead'],
    ]);
  });
});
