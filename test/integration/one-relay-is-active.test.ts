import { setTimeout as sleep } from 'node:timers/promises';
import { asc, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { notifyRarely } from '../../src/app/notify-rarely.js';
import type { ReservationEvent } from '../../src/domain/reservation/types.js';
import { standbyWatch } from '../../src/inbox/housekeeping.js';
import { type Duty, OneActive, relayLease, storedChannel } from '../../src/inbox/relay/one-active.js';
import { Relay } from '../../src/inbox/relay/relay.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { leaseHolder } from '../../src/store/connection/lease-holder.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import type { SendBatch } from '../../src/temporal/client/reservations/send.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody, wire } from '../support/callbacks.js';
import { type DatabaseLane, onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';

const log = pino({ level: 'silent' });

/** A process that shares the database: its own connection, and a duty that reports what it does. */
class Process implements Duty {
  running = false;
  woken = 0;
  readonly turn: OneActive;
  /** As long as this is open, its duty cannot stop. */
  gate: Promise<void> = Promise.resolve();

  constructor(database: HandoverDatabase) {
    this.turn = new OneActive({ session: database.session, duties: () => [this], log, everyMs: 20 });
  }
  start() {
    this.running = true;
  }
  async stop() {
    await this.gate;
    this.running = false;
  }
  wake() {
    this.woken++;
  }
}

onOneDatabase('of several relays', (lane: DatabaseLane) => {
  let database: HandoverDatabase;
  const processes: Process[] = [];
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(() => Promise.all(processes.splice(0).map(({ turn }) => turn.stop())));
  afterAll(() => database.close());

  const begin = () => {
    const process = new Process(database);
    processes.push(process);
    process.turn.start();
    return process;
  };

  it('one relay is active, the others stand by, and one of them takes over when it stops', async () => {
    const first = begin();
    await eventually('the first is active', () => first.running);
    const others = [begin(), begin()];
    await sleep(200); // ten tries each
    expect(others.map(({ running }) => running)).toEqual([false, false]);
    await first.turn.stop();
    await eventually('another is active', () => others.some(({ running }) => running));
    await sleep(100);
    expect(others.filter(({ running }) => running)).toHaveLength(1);
    expect(first.running).toBe(false);
  });

  it('the inbox reports which relay is active, since when, and on which host', async () => {
    const holderNow = () => leaseHolder(database.db, relayLease);
    expect(await holderNow()).toBeNull();
    const before = Date.now();
    const first = begin();
    await eventually('the first is active', () => first.running);
    const holder = await holderNow();
    expect(holder?.since).toBeGreaterThan(before - 10_000);
    expect([null, '127.0.0.1', '::1']).toContain(holder?.address);
    await first.turn.stop();
    expect(await holderNow()).toBeNull();
  });

  it('the lease is free only when the work under way is finished', async () => {
    const first = begin();
    await eventually('the first is active', () => first.running);
    let open = () => {};
    first.gate = new Promise((resolve) => {
      open = resolve;
    });
    const second = begin();
    const stopping = first.turn.stop();
    await sleep(200);
    expect(second.running).toBe(false);
    open();
    await stopping;
    await eventually('the second is active', () => second.running);
  });

  it('a stored event wakes only the active relay, also where receiver and relay are two processes', async () => {
    const first = begin();
    await eventually('the first is active', () => first.running);
    const second = begin();
    const receiver = await (database.kind === 'postgres' ? lane.open() : database);
    const notify = notifyRarely(() => receiver.notify(storedChannel));
    for (let i = 0; i < 50; i++) notify();
    await eventually('it is woken, and again after the last of many', () => first.woken >= 2);
    expect(first.woken).toBeLessThan(10);
    expect(second.woken).toBe(0);
    if (receiver !== database) await receiver.close();
  });
});

onOneDatabase('beside a relay that is active and sends nothing', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('the receiving process raises the backlog by the age of the waiting events, and clears it when they are sent', async () => {
    const arrival = statusArrival('msg_1', 1, { receivedAt: Date.now() - 600_000 });
    await createInboxStore(database, sealer).store(arrival);
    const relay = new Process(database);
    relay.turn.start();
    await eventually('a relay is active', () => relay.running);
    const alerts = createAlerts(database.db, { sealer, post: false });
    const open = async () => (await alerts.list({ state: 'open', limit: 10 })).items.map(({ kind }) => kind);
    const watch = standbyWatch(
      {
        database,
        alerts,
        log,
        settings: { backlogAfterMs: 300_000, silenceAfterMs: null, bodiesMs: 1e12, verdictsMs: 1e12 },
      },
      5,
    );
    watch.start();
    try {
      await eventually('it is raised', async () => (await open())[0] === 'intake-backlog');
      await database.db.update(inbox).set({ state: 'sent', sentAt: Date.now() });
      await eventually('it is cleared', async () => (await open()).length === 0);
    } finally {
      await watch.stop();
      await relay.turn.stop();
    }
  });
});

describe('the lease', () => {
  onOneDatabase('the active relay', (lane) => {
    let database: HandoverDatabase;
    const turns: OneActive[] = [];
    beforeAll(async () => {
      database = await lane.open();
    });
    afterEach(async () => {
      await Promise.all(turns.splice(0).map((turn) => turn.stop()));
      await database.db.delete(inbox);
    });
    afterAll(() => database.close());
    const begin = (duties: () => Duty[]) => {
      const turn = new OneActive({ session: database.session, duties, log, everyMs: 20 });
      turns.push(turn);
      turn.start();
      return turn;
    };
    const cutSessions = async () => {
      const killed = await database.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'handover session' and datname = current_database()`);
      return rowsOf(killed).length;
    };

    it('ends when its connection is cut, and exactly one relay takes over', async ({ skip }) => {
      if (database.kind !== 'postgres') skip();
      const events: string[] = [];
      const duty = (name: string): Duty => ({
        start: () => void events.push(`${name} starts`),
        stop: async () => void events.push(`${name} stops`),
      });
      begin(() => [duty('a')]);
      await eventually('a is active', () => events.length === 1);
      begin(() => [duty('b')]);
      for (let round = 1; round <= 5; round++) {
        await eventually('both have a session', async () => {
          const sessions = await database.db.execute(sql`
            select 1 from pg_stat_activity
            where application_name = 'handover session' and datname = current_database()`);
          return rowsOf(sessions).length === 2;
        });
        await cutSessions();
        await eventually('one stopped, one started', () => events.length >= 1 + 2 * round);
      }
      await eventually('the formerly active one has stopped', () => {
        const starts = events.filter((event) => event.endsWith('starts')).length;
        return starts === events.length - starts + 1;
      });
    });
  });
});

onOneDatabase('two relays that are active at once', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('send each event first in its order, and repeat it under the same id', async () => {
    const received = new Map<number, ReservationEvent[]>();
    const seeded = (seed: number) => () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    /** Signals that stay on their way for a while: the one sent later may be there first. */
    const slowly =
      (random: () => number): SendBatch =>
      async (reservationId, events) => {
        await sleep(random() * 40);
        received.set(reservationId, [...(received.get(reservationId) ?? []), ...events]);
        await sleep(random() * 40);
        return 'sent';
      };
    const relays = [7, 11].map(
      (seed) =>
        new Relay({
          db: database.db,
          wire,
          sealer,
          log,
          send: slowly(seeded(seed)),
          recordLate: async () => {},
          pollMs: 5,
          coalesceMs: 1,
          maxEvents: 3,
        }),
    );
    for (const relay of relays) relay.start();
    const store = createInboxStore(database, sealer);
    for (let i = 0; i < 60; i++) {
      const reservationId = 1 + (i % 3);
      const changes = { receivedAt: Date.now(), raw: Buffer.from(statusBody(reservationId, i)) };
      await store.store(statusArrival(`msg_${i}`, reservationId, changes));
      await sleep(5);
    }
    await eventually('all are sent', async () =>
      (await database.db.select().from(inbox).orderBy(asc(inbox.id))).every(({ state }) => state === 'sent'),
    );
    await Promise.all(relays.map((relay) => relay.stop()));
    let repeats = 0;
    for (const [reservationId, events] of received) {
      const first = events.filter(
        ({ eventId }, index) => events.findIndex((other) => other.eventId === eventId) === index,
      );
      repeats += events.length - first.length;
      expect(first.map(({ status }) => status)).toEqual(
        Array.from({ length: 20 }, (_, i) => 3 * i + reservationId - 1),
      );
    }
    expect(repeats, 'they were active at once').toBeGreaterThan(0);
  });
});
