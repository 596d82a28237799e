import { asc } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { housekeeping } from '../../src/inbox/housekeeping.js';
import { readIntakeState } from '../../src/inbox/intake-state.js';
import type { ReceiverFigures } from '../../src/inbox/receive/figures.js';
import { Relay, type RelayOptions } from '../../src/inbox/relay/relay.js';
import type { OwnShards } from '../../src/inbox/relay/shard-owner.js';
import { resendUnjudged } from '../../src/inbox/replay/resend.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { backlog, inboxTimes } from '../../src/store/callbacks/backlog.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { markSent } from '../../src/store/callbacks/verdicts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createLateEvents } from '../../src/store/reservations/late-events.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { alerts, caseFiles, inbox, leases, timeline } from '../../src/store/schema.js';
import { EventsRefusedError } from '../../src/temporal/client/reservations/send.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody, wire } from '../support/callbacks.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { allOwnShards } from '../support/own-shards.js';
import { policy } from '../support/reservation-story.js';

const minute = 60_000;
const log = pino({ level: 'silent' });
const now = Date.now();

onOneDatabase('callbacks that were sent and get no verdict', (lane) => {
  let database: HandoverDatabase;
  let shards: OwnShards;
  beforeAll(async () => {
    database = await lane.open();
  });
  beforeEach(async () => {
    shards = await allOwnShards(database);
  });
  afterEach(async () => {
    for (const table of [inbox, timeline, caseFiles, alerts, leases]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  let stored = 0;
  /** A callback of an hour ago. @returns its id */
  const store = async (reservationId: number): Promise<number> => {
    stored += 1;
    const changes = { receivedAt: now - 60 * minute, raw: Buffer.from(statusBody(reservationId, stored)) };
    await createInboxStore(database, sealer).store(statusArrival(`msg_${stored}`, reservationId, changes));
    return (await rows()).at(-1)?.id ?? 0;
  };
  const sent = async (reservationId: number, sentAt: number): Promise<number> => {
    const id = await store(reservationId);
    await markSent(database.db, [{ id, replays: 0 }], sentAt);
    return id;
  };
  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const states = async () => (await rows()).map(({ state }) => state);
  const relay = (send: RelayOptions['send']) => {
    const running = new Relay({
      db: database.db,
      wire,
      sealer,
      log,
      shards,
      send,
      pollMs: 5,
      coalesceMs: 1,
      busyCoalesceMs: 1,
      clock: () => now,
      recordLate: createLateEvents(database.db, policy.fromStates),
    });
    running.start();
    onTestFinished(() => running.stop());
  };

  it('events without a verdict are sent again after ten minutes, then ever more rarely, a few at a time', async () => {
    await sent(1, now - 10 * minute);
    await sent(2, now - 10 * minute + 1);
    expect(await resendUnjudged(database.db, { now })).toBe(1);
    expect(await states()).toEqual(['received', 'sent']);
    const first = (await rows())[0];
    expect(first).toMatchObject({ resends: 1, resentAt: now, sentAt: now - 10 * minute, replays: 0 });
    expect(await backlog(database.db)).toMatchObject({ resends: 1 });
    const figures = async () => ({}) as ReceiverFigures;
    expect(await readIntakeState(database.db, { figures, forwards: false, clock: Date.now })).toMatchObject({
      backlog: { events: 1 },
      // the one that is sent again has no verdict either
      unjudged: { events: 2, oldestAt: now - 10 * minute },
    });
    const mark = (at: number) => markSent(database.db, [{ id: first?.id ?? 0, replays: 0 }], at);

    for (const [wait, resends] of [
      [20, 2],
      [40, 3],
      [80, 4],
      [160, 5],
      [320, 6],
      [360, 7],
      [360, 8],
    ] as const) {
      await mark(now);
      const last = (await rows())[0]?.resentAt ?? 0;
      const due = (at: number) => resendUnjudged(database.db, { now: at, most: 1 });
      expect([wait, await due(last + wait * minute - 1).then(() => rows())]).toMatchObject([
        wait,
        [{ resends: resends - 1 }, {}],
      ]);
      await database.db.update(inbox).set({ state: 'sent' });
      await due(last + wait * minute);
      expect([wait, await rows()]).toMatchObject([wait, [{ resends, sentAt: now - 10 * minute }, {}]]);
    }

    await database.db.delete(inbox);
    for (let i = 0; i < 5; i++) await sent(i, now - 20 * minute);
    expect(await resendUnjudged(database.db, { now, most: 3 })).toBe(3);
    expect(await states()).toEqual(['received', 'received', 'received', 'sent', 'sent']);
  });

  it('events that are sent again reach the workflow under the same id, and have the verdict that it gives then', async () => {
    const id = await sent(1, now - 11 * minute);
    const record = createRecorder(database.db);
    const sentAgain: string[] = [];
    relay(async (reservationId, events) => {
      sentAgain.push(...events.map(({ eventId }) => eventId));
      const verdicts = events.map(({ inboxId }) => ({ inboxId, verdict: 'applied' as const, rule: 'L02' }));
      await record({ reservationId, verdicts, entries: [] });
      return 'sent';
    });
    await resendUnjudged(database.db, { now });
    await eventually('it is judged', async () => (await states())[0] === 'done');
    expect((await rows())[0]).toMatchObject({ id, verdict: 'applied', resends: 1 });
    expect(sentAgain).toEqual([`msg_${stored}`]);
  });

  it('events that are sent again are after-terminal where the reservation has closed, and dead letters where its workflow was terminated', async () => {
    await sent(1, now - 11 * minute);
    await sent(2, now - 11 * minute);
    await database.db.insert(caseFiles).values({
      reservationId: 1,
      closedAt: now,
      status: 30,
      attention: [],
      view: Buffer.from(''),
    });
    relay(async (reservationId, _, hasCaseFile) => {
      if (reservationId === 1 && hasCaseFile) return 'closed';
      throw new EventsRefusedError('WORKFLOW_TERMINATED', { whicheverEvent: true });
    });
    await resendUnjudged(database.db, { now });
    await eventually('one is judged', async () => (await states())[0] === 'done');
    expect((await rows())[0]).toMatchObject({ verdict: 'after-terminal', rule: 'L08' });
    // the relay counts refusals before it gives up: the reason is known from the first
    await eventually(
      'the other is refused',
      async () => (await rows())[1]?.lastError === 'WORKFLOW_TERMINATED',
    );
  });

  it('events that are sent again are no backlog, and hide none', async () => {
    await sent(1, now - 15 * minute);
    expect(await inboxTimes(database.db)).toMatchObject({
      oldestWaitingAt: null,
      oldestUnjudgedAt: now - 15 * minute,
    });
    await resendUnjudged(database.db, { now });
    expect(await inboxTimes(database.db)).toMatchObject({
      oldestWaitingAt: now,
      oldestUnjudgedAt: now - 15 * minute,
    });
    await store(2);
    expect(await inboxTimes(database.db)).toMatchObject({
      oldestWaitingAt: now - 60 * minute,
      oldestUnjudgedAt: now - 15 * minute,
    });
  });

  it('a waiting callback that is dated in the future hides no backlog', async () => {
    const id = await store(1);
    await database.db.update(inbox).set({ receivedAt: now + 60 * minute });
    await store(2);
    expect((await rows())[0]?.id).toBe(id);
    expect(await inboxTimes(database.db)).toMatchObject({ oldestWaitingAt: now - 60 * minute });
  });

  it('the active process sends them again and raises their own alert; a process that was replaced does not', async () => {
    await sent(1, now - 15 * minute);
    await database.db.insert(leases).values({ name: 'relay', holder: 'x', epoch: 7, since: now });
    const raised = createAlerts(database.db, { sealer, post: false });
    const run = (epoch: number) => {
      const duties = housekeeping({
        database,
        alerts: raised,
        log,
        clock: () => now,
        settings: { backlogAfterMs: 5 * minute, silenceAfterMs: null, bodiesMs: 1e12, verdictsMs: 1e12 },
        lease: { name: 'relay', epoch, remainingMs: () => 1_000 },
      });
      for (const duty of duties) duty.start();
      return () => Promise.all(duties.map((duty) => duty.stop()));
    };
    const stopReplaced = run(6);
    const open = async () => (await raised.list({ state: 'open', limit: 10 })).items.map(({ kind }) => kind);
    await eventually('its watch has looked', async () => (await open()).length > 0);
    await stopReplaced();
    expect(await states()).toEqual(['sent']);
    const stop = run(7);
    await eventually('it is sent again', async () => (await states())[0] === 'received');
    await stop();
    expect(await open()).toEqual(['intake-unjudged']);
  });
});
