import { setTimeout as sleep } from 'node:timers/promises';
import { asc, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { notifyRarely } from '../../src/app/notify-rarely.js';
import type { ReservationEvent } from '../../src/domain/reservation/types.js';
import { standbyWatch } from '../../src/inbox/housekeeping.js';
import { readIntakeState } from '../../src/inbox/intake-state.js';
import type { ReceiverFigures } from '../../src/inbox/receive/figures.js';
import { relayLease, shardLease } from '../../src/inbox/relay/plan-leases.js';
import { readRelays } from '../../src/inbox/relay/read-relays.js';
import { Relay } from '../../src/inbox/relay/relay.js';
import {
  type OwnShards,
  type ShardDuty,
  ShardOwner,
  storedChannel,
} from '../../src/inbox/relay/shard-owner.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { allShards, shardCount, shardOf } from '../../src/store/callbacks/shard.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import type { SendBatch } from '../../src/temporal/client/reservations/send.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody, wire } from '../support/callbacks.js';
import { type DatabaseLane, onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { allOwnShards } from '../support/own-shards.js';
import { withoutVerdicts } from '../support/without-verdicts.js';

const log = pino({ level: 'silent' });

/** A process that shares the database: its own connection, and a relay and a duty that report what they do. */
class Process implements ShardDuty {
  /** It has the duties that one process has for all. */
  leads = false;
  woken = 0;
  /** It can send. */
  isConnected = true;
  lacksKey = false;
  shards: OwnShards = new Map();
  readonly owner: ShardOwner;
  /** As long as this is open, a send is under way. */
  gate: Promise<void> = Promise.resolve();

  constructor(database: HandoverDatabase) {
    this.owner = new ShardOwner({
      session: database.session,
      relay: (shards) => {
        this.shards = shards;
        return this;
      },
      duties: () => [
        {
          start: () => {
            this.leads = true;
          },
          stop: async () => {
            this.leads = false;
          },
        },
      ],
      log,
      everyMs: 20,
      isConnected: () => this.isConnected,
      leavesAfterMs: 100,
    });
  }
  start() {}
  stop() {
    return this.gate;
  }
  drained() {
    return this.gate;
  }
  wake() {
    this.woken++;
  }
}

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

onOneDatabase('the shards of the relay', (lane: DatabaseLane) => {
  let database: HandoverDatabase;
  const processes: Process[] = [];
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(() => Promise.all(processes.splice(0).map(({ owner }) => owner.stop())));
  afterAll(() => database.close());

  const begin = () => {
    const process = new Process(database);
    processes.push(process);
    process.owner.start();
    return process;
  };
  const counts = () => processes.map(({ shards }) => shards.size);
  const isDivided = () =>
    processes
      .flatMap(({ shards }) => [...shards.keys()])
      .sort((one, other) => one - other)
      .join() === allShards.join();

  it('belong to one process alone, and are spread evenly over more: one at a time, in any number', async () => {
    const first = begin();
    await eventually('it has all', () => first.shards.size === 16);
    begin();
    await eventually('each has half', () => counts().join() === '8,8');
    begin();
    await eventually('each has a third', () => isDivided() && Math.max(...counts()) === 6);
    expect(counts().sort()).toEqual([5, 5, 6]);
    expect(processes.filter(({ leads }) => leads)).toEqual([first]);
  });

  it('of a process that stops are taken over by the others, with the duties of one for all', async () => {
    const first = begin();
    await eventually('it leads', () => first.leads);
    const others = [begin(), begin()];
    await eventually('all have some', () => isDivided() && Math.min(...counts()) === 5);
    await first.owner.stop();
    await eventually('the others have all', () => counts().join() === '0,8,8');
    expect(first.leads).toBe(false);
    await eventually('another leads', () => others.filter(({ leads }) => leads).length === 1);
  });

  it('of a process that has the database but not Temporal go to the others, with the duties; without Temporal one has all', async () => {
    const first = begin();
    await eventually('it leads', () => first.leads);
    const second = begin();
    await eventually('each has half', () => counts().join() === '8,8');
    first.isConnected = false;
    await eventually('the other has all, and leads', () => counts().join() === '0,16' && second.leads);
    expect(first.leads).toBe(false);
    const third = new Process(database);
    third.isConnected = false;
    processes.push(third);
    third.owner.start();
    await sleep(200); // ten rounds
    expect(counts(), 'one that never had Temporal takes none').toEqual([0, 16, 0]);
    second.isConnected = false;
    await eventually('none has Temporal, and one has all', () => isDivided() && Math.max(...counts()) === 16);
    first.isConnected = true;
    await eventually('the first has Temporal again', () => counts().join() === '16,0,0' && first.leads);
    second.isConnected = true;
    await eventually('each has half again', () => counts().join() === '8,8,0');
  });

  it('of a process that lacks a key go to one that may have it; where none has it, one has all', async () => {
    const first = begin();
    await eventually('it has all', () => first.shards.size === 16);
    first.lacksKey = true;
    await sleep(200); // ten rounds
    expect(first.shards.size, 'one that is alone keeps them').toBe(16);
    const second = begin();
    await eventually('the other has all, and leads', () => counts().join() === '0,16' && second.leads);
    second.lacksKey = true;
    await sleep(200);
    expect(counts()).toEqual([0, 16]);
    first.lacksKey = false;
    await eventually('the first has the key now', () => counts().join() === '16,0');
  });

  it('more processes than shards: each shard has one owner, the rest stand by', async () => {
    for (let i = 0; i < 18; i++) begin();
    await eventually('each shard has its process', () => isDivided() && Math.max(...counts()) === 1, 20_000);
    expect(counts().filter((count) => count === 0)).toHaveLength(2);
    const owner = processes.find(({ shards }) => shards.size === 1);
    await owner?.owner.stop();
    await eventually('one that stood by has its shard', isDivided, 20_000);
  });

  it('the inbox reports each relay with its shards, which one leads, since when, and on which host', async () => {
    const figures = async () => ({}) as ReceiverFigures;
    const intake = () => readIntakeState(database.db, { figures, forwards: false, clock: Date.now });
    const holderNow = async () => (await intake()).relays.leader;
    const relaysNow = async () => (await intake()).relays.processes;
    expect(await holderNow()).toBeNull();
    const before = Date.now();
    const first = begin();
    await eventually('the first leads', () => first.leads);
    const holder = await holderNow();
    expect(holder?.since).toBeGreaterThan(before - 10_000);
    expect([null, '127.0.0.1', '::1']).toContain(holder?.address);
    await eventually('it has all', () => first.shards.size === 16);
    expect(await relaysNow()).toMatchObject([{ shards: 16, address: holder?.address }]);
    begin();
    await eventually('each has half', () => counts().join() === '8,8');
    expect(await relaysNow()).toMatchObject([{ shards: 8 }, { shards: 8 }]);
    await Promise.all(processes.map(({ owner }) => owner.stop()));
    expect(await holderNow()).toBeNull();
    expect(await relaysNow()).toEqual([]);
  });

  it('a shard is free only when what is under way of it is finished: at a stop, and where another process has its share', async () => {
    const first = begin();
    await eventually('it has all', () => first.shards.size === 16);
    const sharing = gate();
    first.gate = sharing.opened;
    const second = begin();
    await eventually('it begins no more than its share', () => first.shards.size === 8);
    await sleep(200); // ten rounds
    expect(second.shards.size).toBe(0);
    sharing.open();
    await eventually('the second has the other half', () => second.shards.size === 8);
    const stop = gate();
    first.gate = stop.opened;
    const stopping = first.owner.stop();
    await sleep(200);
    expect(second.shards.size).toBe(8);
    stop.open();
    await stopping;
    await eventually('the second has all', () => second.shards.size === 16);
  });

  it('while a relay of an earlier release is active, it alone sends; the shards are taken when it has ended', async () => {
    const session = await database.session();
    const earlier = { names: [relayLease], most: 1, holder: 'of 0.3.0', durationMs: 60_000 };
    const [lease] = await session.claimLeases(earlier);
    const first = begin();
    await sleep(200); // ten rounds
    expect([first.leads, first.shards.size]).toEqual([false, 0]);
    expect((await readRelays(database.db)).processes, 'it sends everything').toMatchObject([{ shards: 16 }]);
    if (lease !== undefined) await session.releaseLeases([lease]);
    await eventually('it has all', () => first.leads && first.shards.size === 16);
    await session.close();
  });

  it('a lease whose end was written before the clock was set back belongs to no process, for a reader as for a claim', async () => {
    const session = await database.session();
    const claim = { names: [shardLease(3)], most: 1, holder: 'before', durationMs: 60_000 };
    const [lease] = await session.claimLeases(claim);
    expect((await readRelays(database.db)).processes).toMatchObject([{ shards: 1 }]);
    await database.db.execute(
      sql`update leases set expires_at = now() + interval '1 hour' where name = ${claim.names[0]}`,
    );
    expect((await readRelays(database.db)).processes).toEqual([]);
    if (lease !== undefined) await session.releaseLeases([lease]);
    await session.close();
  });

  it('a stored event wakes each relay, also where receiver and relay are two processes', async () => {
    const first = begin();
    await eventually('the first has shards', () => first.shards.size > 0);
    const second = begin();
    await eventually('the second has shards', () => second.shards.size > 0);
    const receiver = await (database.kind === 'postgres' ? lane.open() : database);
    const notify = notifyRarely(() => receiver.notify(storedChannel));
    for (let i = 0; i < 50; i++) notify();
    for (const process of [first, second]) {
      await eventually('it is woken, and again after the last of many', () => process.woken >= 2);
      expect(process.woken).toBeLessThan(10);
    }
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
    relay.owner.start();
    await eventually('a relay is active', () => relay.shards.size > 0);
    const alerts = createAlerts(database.db, { sealer, post: false });
    const open = async () => (await alerts.list({ state: 'open', limit: 10 })).items.map(({ kind }) => kind);
    const watch = standbyWatch(
      {
        database,
        alerts,
        log,
        settings: { backlogAfterMs: 300_000, silenceAfterMs: null, bodiesMs: 1e12, verdictsMs: 1e12 },
        watchesAlways: true,
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
      await relay.owner.stop();
    }
  });
});

onOneDatabase('a receiving process that cannot post alerts', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('leaves the watch to a worker that can, and watches while none leads', async () => {
    const arrival = statusArrival('msg_1', 1, { receivedAt: Date.now() - 600_000 });
    await createInboxStore(database, sealer).store(arrival);
    const relay = new Process(database);
    relay.owner.start();
    await eventually('a relay leads', () => relay.leads);
    const alerts = createAlerts(database.db, { sealer, post: false });
    const open = async () => (await alerts.list({ state: 'open', limit: 10 })).items.length;
    const settings = { backlogAfterMs: 300_000, silenceAfterMs: null, bodiesMs: 1e12, verdictsMs: 1e12 };
    const watch = standbyWatch({ database, alerts, log, settings, watchesAlways: false }, 5);
    watch.start();
    onTestFinished(() => watch.stop());
    await sleep(200); // some rounds
    expect(await open()).toBe(0);
    await relay.owner.stop();
    await eventually('it is raised', async () => (await open()) === 1);
  });
});

onOneDatabase('the shards of a process', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());
  const sessions = sql`from pg_stat_activity
    where application_name = 'handover session' and datname = current_database()`;

  it('are given up when its connection is cut, and each has one owner again', async ({ skip }) => {
    if (database.kind !== 'postgres') skip();
    const processes = [new Process(database), new Process(database)];
    onTestFinished(() => Promise.all(processes.map(({ owner }) => owner.stop())).then(() => {}));
    for (const { owner } of processes) owner.start();
    const isDivided = () => processes.every(({ shards }) => shards.size === 8);
    const takeovers = () =>
      processes
        .flatMap(({ shards }) => [...shards.values()].map(({ epoch }) => epoch))
        .reduce((sum, epoch) => sum + epoch, 0);
    for (let round = 1; round <= 5; round++) {
      await eventually('each has half', isDivided);
      const before = takeovers();
      const killed = await database.db.execute(sql`select pg_terminate_backend(pid) ${sessions}`);
      expect(rowsOf(killed)).toHaveLength(2);
      await eventually('all are claimed again', () => isDivided() && takeovers() >= before + shardCount);
    }
  });
});

onOneDatabase('relays that share a backlog', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('each sends the events of its shards alone, every reservation in its order, also while shards change hands', async () => {
    const received = new Map<number, number[]>();
    const sentBy = new Map<number, Set<number>>();
    const owners: ShardOwner[] = [];
    onTestFinished(() => Promise.all(owners.map((owner) => owner.stop())).then(() => {}));
    const begin = (process: number) => {
      const owner = new ShardOwner({
        session: database.session,
        log,
        everyMs: 20,
        relay: (shards) =>
          new Relay({
            db: database.db,
            wire,
            sealer,
            log,
            shards,
            pollMs: 5,
            coalesceMs: 1,
            busyCoalesceMs: 1,
            maxEvents: 3,
            unjudged: withoutVerdicts(),
            recordLate: async () => {},
            async send(reservationId, events) {
              await sleep(5);
              const inOrder = events.map(({ status }) => status as number);
              received.set(reservationId, [...(received.get(reservationId) ?? []), ...inOrder]);
              sentBy.set(process, (sentBy.get(process) ?? new Set()).add(shardOf(reservationId)));
              return 'sent';
            },
          }),
      });
      owners.push(owner);
      owner.start();
      return owner;
    };
    begin(0);
    const store = createInboxStore(database, sealer);
    const reservations = Array.from({ length: 24 }, (_, i) => 1_000 + i);
    for (let event = 0; event < 10; event++) {
      if (event === 2) begin(1);
      if (event === 7) await owners[0]?.stop();
      for (const reservationId of reservations) {
        const changes = { receivedAt: Date.now(), raw: Buffer.from(statusBody(reservationId, event)) };
        await store.store(statusArrival(`msg_${reservationId}_${event}`, reservationId, changes));
      }
      await sleep(60);
    }
    await eventually('all are sent', async () =>
      (await database.db.select().from(inbox)).every(({ state }) => state === 'sent'),
    );
    for (const reservationId of reservations)
      expect([reservationId, received.get(reservationId)]).toEqual([reservationId, [...Array(10).keys()]]);
    expect(sentBy.get(1)?.size, 'the second had shards').toBeGreaterThan(4);
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
    const shards = await allOwnShards(database);
    const relays = [7, 11].map(
      (seed) =>
        new Relay({
          db: database.db,
          wire,
          sealer,
          log,
          shards,
          send: slowly(seeded(seed)),
          recordLate: async () => {},
          pollMs: 5,
          coalesceMs: 1,
          busyCoalesceMs: 1,
          maxEvents: 3,
          unjudged: withoutVerdicts(),
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
