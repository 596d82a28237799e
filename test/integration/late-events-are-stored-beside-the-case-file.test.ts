import { asc } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { Relay } from '../../src/inbox/relay/relay.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createLateEvents } from '../../src/store/reservations/late-events.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { createTimeline } from '../../src/store/reservations/timeline.js';
import { caseFiles, inbox, outbox, timeline } from '../../src/store/schema.js';
import type { SendBatch } from '../../src/temporal/client/reservations/send.js';
import { fullView } from '../support/api.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody, wire } from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { allOwnShards } from '../support/own-shards.js';
import { policy } from '../support/reservation-story.js';

const now = Date.UTC(2026, 10, 21, 12);

onOneDatabase('an event of a closed reservation', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [inbox, timeline, caseFiles, outbox]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const lines = async (id: number) => (await createTimeline(database.db).read(id, { limit: 100 })).items;
  const late = () => createLateEvents(database.db, policy.fromStates, sealer);
  let sent = 0;
  /** Stores one callback per status, and gives them as the relay reads them. */
  const arrived = async (reservationId: number, ...statuses: number[]): Promise<ReservationEvent[]> => {
    const known = (await rows()).length;
    const store = createInboxStore(database, sealer);
    for (const status of statuses) {
      sent += 1;
      const changes = { receivedAt: now, raw: Buffer.from(statusBody(reservationId, status)) };
      await store.store(statusArrival(`msg_${sent}`, reservationId, changes));
    }
    return (await rows()).slice(known).map(({ id, eventId }, place) => ({
      eventId,
      inboxId: id,
      channel: 'status',
      receivedAt: now,
      contentHash: eventId,
      status: statuses[place] ?? 0,
    }));
  };
  const closed = async (reservationId: number, status: number) => {
    const entry = { at: now, kind: 'event' as const, rule: 'L03', text: 'its own', data: {} };
    const entries = [1, 2].map((seq) => ({ seq, ...entry, data: { inboxId: seq } }));
    await createRecorder(database.db)({ reservationId, verdicts: [], entries });
    await createCaseFiles(database.db, sealer, [publicTestKey]).close({
      reservationId,
      closedAt: now,
      facts: { status, carId: null, companyId: null, period: null, attention: [] },
      view: fullView(reservationId),
    });
  };

  it('L08: a late event is after-terminal, and its entry follows those of the workflow', async () => {
    await closed(1, 45);
    const events = await arrived(1, 10, 15);
    await late()(1, events, now + 5);
    expect((await rows()).map(({ state, verdict, rule }) => [state, verdict, rule])).toEqual([
      ['done', 'after-terminal', 'L08'],
      ['done', 'after-terminal', 'L08'],
    ]);
    const [, , third, fourth, ...others] = await lines(1);
    expect(others).toEqual([]);
    expect(third).toEqual({
      seq: 3,
      at: now + 5,
      kind: 'event',
      rule: 'L08',
      text: 'Status webhook, status 10 (dispatch departed): the reservation was closed before it came; the end stands.',
      messages: [
        { code: 'event.late', data: { channel: 'status', status: 10, replayed: false, ended: null } },
      ],
      data: { inboxId: events[0]?.inboxId, verdict: 'after-terminal', status: 10 },
    });
    expect(fourth).toMatchObject({ seq: 4, data: { status: 15 } });
    expect(await database.db.select().from(outbox)).toEqual([]);
  });

  it('a late event that is delivered twice has one entry: a relay that died in between repeats it', async () => {
    await closed(1, 45);
    const events = await arrived(1, 10);
    await late()(1, events, now);
    await late()(1, events, now);
    expect(await lines(1)).toHaveLength(3);
  });

  it('late events that are recorded at once have entries with different numbers', async () => {
    await closed(1, 45);
    const events = await arrived(1, ...Array.from({ length: 12 }, () => 10));
    await Promise.all(events.map((event) => late()(1, [event], now)));
    expect((await lines(1)).map(({ seq }) => seq)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
  });

  it('L08: a late event that contradicts the end has an entry that states this, and operations are notified', async () => {
    await closed(1, 45);
    await late()(1, await arrived(1, 20), now);
    expect((await lines(1)).at(-1)?.text).toBe(
      'Status webhook, status 20 (in use): the reservation was closed before it came; it contradicts 45 (no-show cancelled), which stands. Find out where the car is.',
    );
    const [post] = await database.db.select().from(outbox);
    expect(post?.messageId).toMatch(/^attention-1-/);
    expect(
      JSON.parse(sealer.open(post?.body ?? Buffer.alloc(0), `outbox/${post?.messageId}`).toString()),
    ).toMatchObject({
      type: 'attention.raised',
      kind: 'terminal-contradiction',
      reservationId: 1,
      message: expect.stringContaining('20 (in use) was reported after its closing'),
    });
  });

  it('a late event of a reservation that closed without a case file has its verdict and entry, too', async () => {
    await late()(7, await arrived(7, 20), now);
    expect(await lines(7)).toMatchObject([{ seq: 1, rule: 'L08' }]);
  });

  it('the relay reads the case file before it sends, so that no workflow is started', async () => {
    await closed(1, 45);
    await arrived(1, 20);
    await arrived(2, 5);
    const asked: Record<number, boolean> = {};
    const send: SendBatch = async (id, _events, hasCaseFile) => {
      asked[id] = hasCaseFile;
      return hasCaseFile ? 'closed' : 'sent';
    };
    const log = pino({ level: 'silent' });
    const shards = await allOwnShards(database);
    const recordLate = late();
    const relay = new Relay({
      db: database.db,
      wire,
      sealer,
      send,
      recordLate,
      log,
      shards,
      coalesceMs: 1,
      busyCoalesceMs: 1,
    });
    relay.start();
    await eventually('all are sent or judged', async () =>
      (await rows()).every(({ state }) => state !== 'received'),
    );
    await relay.stop();
    expect(asked).toEqual({ 1: true, 2: false });
    expect((await rows()).map(({ state, verdict }) => [state, verdict])).toEqual([
      ['done', 'after-terminal'],
      ['sent', null],
    ]);
    expect(await lines(1)).toHaveLength(3);
  });
});
