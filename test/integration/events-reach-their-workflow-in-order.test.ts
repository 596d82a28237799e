import { gzipSync } from 'node:zlib';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ReservationEvent } from '../../src/domain/reservation/types.js';
import { Rate } from '../../src/inbox/relay/rate.js';
import { Relay, type RelayOptions } from '../../src/inbox/relay/relay.js';
import type { OwnShards } from '../../src/inbox/relay/shard-owner.js';
import { Unjudged } from '../../src/inbox/relay/unjudged.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { recordVerdicts, selectStillSent } from '../../src/store/callbacks/verdicts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createLateEvents } from '../../src/store/reservations/late-events.js';
import { inbox } from '../../src/store/schema.js';
import { DataKeyNotMade, UnknownKeyError } from '../../src/store/sealing/errors.js';
import { createSealer, type Sealer } from '../../src/store/sealing/sealer.js';
import { EventsRefusedError, type SendBatch } from '../../src/temporal/client/reservations/send.js';
import { EngineUnavailableError } from '../../src/temporal/connection/unavailable.js';
import { statusArrival } from '../support/arrivals.js';
import {
  aReservation,
  pathOf,
  reservationBody,
  signedHeaders,
  statusBody,
  wire,
} from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { opened, sealer, startReceiver } from '../support/intake.js';
import { allOwnShards } from '../support/own-shards.js';
import { policy } from '../support/reservation-story.js';
import { withoutVerdicts } from '../support/without-verdicts.js';

/** The events that each reservation's workflow received, batch by batch. */
class Workflows {
  readonly batches: { reservationId: number; statuses: number[] }[] = [];
  readonly underWay = new Set<number>();
  most = 0;
  /** Throws, or says `closed`. */
  mood: (reservationId: number, events: ReservationEvent[]) => 'closed' | undefined = () => undefined;
  gate: Promise<void> = Promise.resolve();

  readonly send: SendBatch = async (reservationId, events) => {
    expect(this.underWay.has(reservationId), 'one send at a time per reservation').toBe(false);
    this.underWay.add(reservationId);
    this.most = Math.max(this.most, this.underWay.size);
    try {
      await this.gate;
      await new Promise((resolve) => setImmediate(resolve));
      const said = this.mood(reservationId, events);
      if (said === 'closed') return 'closed';
      this.batches.push({ reservationId, statuses: events.map(({ status }) => status ?? -1) });
      return 'sent';
    } finally {
      this.underWay.delete(reservationId);
    }
  };

  statusesOf(reservationId: number): number[] {
    return this.batches
      .filter((batch) => batch.reservationId === reservationId)
      .flatMap(({ statuses }) => statuses);
  }
}

onOneDatabase('the relay', (lane) => {
  let database: HandoverDatabase;
  let shards: OwnShards;
  let workflows = new Workflows();
  const relays: Relay[] = [];

  beforeAll(async () => {
    database = await lane.open();
    shards = await allOwnShards(database);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await database.db.delete(inbox);
    workflows = new Workflows();
  });
  afterAll(() => database.close());

  const relay = (options: Partial<RelayOptions> = {}) => {
    const created = new Relay({
      db: database.db,
      wire,
      sealer,
      send: workflows.send,
      recordLate: createLateEvents(database.db, policy.fromStates),
      log: pino({ level: 'silent' }),
      shards,
      pollMs: 20,
      coalesceMs: 5,
      busyCoalesceMs: 5,
      retry: { firstMs: 5, longestMs: 40 },
      ...options,
    });
    relays.push(created);
    return created;
  };
  let events = 0;
  const store = async (reservationId: number | null, under: Sealer, ...bodies: string[]) => {
    const target = createInboxStore(database, under);
    for (const body of bodies) {
      events++;
      const changes = { receivedAt: 1_000 + events, raw: Buffer.from(body) };
      await target.store(statusArrival(`msg_${events}`, reservationId, changes));
    }
  };
  const statuses = (reservationId: number, ...codes: number[]) =>
    store(reservationId, sealer, ...codes.map((code) => statusBody(reservationId, code)));
  const changed = (channel: 'update' | 'status', code: number) => {
    events++;
    const body =
      channel === 'status'
        ? statusBody(1, code)
        : reservationBody(channel, aReservation(1, { reservationStatus: code }));
    const arrival = { receivedAt: 1_000 + events, channel, path: pathOf(channel), raw: Buffer.from(body) };
    return createInboxStore(database, sealer).store(statusArrival(`msg_${events}`, 1, arrival));
  };
  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const all = (state: 'received' | 'sent' | 'done') =>
    eventually(`every row is ${state}`, async () => (await rows()).every((row) => row.state === state));

  it('the relay sends the waiting events of a reservation as one signal, in order of arrival, and marks them', async () => {
    await statuses(1, 5, 10, 15);
    await statuses(2, 5);
    await statuses(1, 20);
    relay().start();
    await all('sent');
    expect(workflows.batches).toEqual([
      { reservationId: 1, statuses: [5, 10, 15, 20] },
      { reservationId: 2, statuses: [5] },
    ]);
    expect((await rows()).every(({ sentAt }) => sentAt !== null)).toBe(true);
  });

  it('the relay sends no further ahead of the verdicts than it may, and the rest as they come', async () => {
    const most = 3;
    for (let id = 1; id <= 12; id++) await statuses(id, 5);
    let unjudged = 0;
    let mostSeen = 0;
    const send: RelayOptions['send'] = async (...batch) => {
      mostSeen = Math.max(mostSeen, ++unjudged);
      return workflows.send(...batch);
    };
    let readsInVain = 0;
    const selectCounted = async (ids: number[]) => {
      const still = await selectStillSent(database.db, ids);
      if (still.length === ids.length) readsInVain += 1;
      return still;
    };
    const limited = relay({
      send,
      unjudged: new Unjudged({ most, selectStillSent: selectCounted }),
      pollMs: 60_000,
    });
    limited.start();
    // no other wake-up, and no poll: it reads verdicts by itself until there are some
    limited.wake();
    for (let judged = 0; judged < 12; judged += most) {
      await eventually('as many as may be are sent', async () => {
        const sent = (await rows()).filter(({ state }) => state === 'sent');
        if (sent.length < most || readsInVain === 0) return false;
        readsInVain = 0;
        unjudged -= sent.length;
        await recordVerdicts(database.db, sent, { verdict: 'applied', rule: 'L01', at: Date.now() });
        return true;
      });
    }
    await all('done');
    expect(mostSeen).toBe(most);
    expect(workflows.batches).toHaveLength(12);
  });

  it('callbacks that are sent again hold up no other, though their workflows give no verdict', async () => {
    for (let id = 1; id <= 8; id++) await statuses(id, 5);
    await database.db.update(inbox).set({ resends: 1 });
    await statuses(9, 5);
    const unjudged = new Unjudged({ most: 1, selectStillSent: (ids) => selectStillSent(database.db, ids) });
    relay({ unjudged }).start();
    await all('sent');
    expect(workflows.batches).toHaveLength(9);
  });

  it('the relay bounds a signal in events and in bytes, and preserves the order across signals', async () => {
    let bytes = 0;
    workflows.mood = (_, [first]) => {
      bytes = Buffer.byteLength(JSON.stringify(first));
      return undefined;
    };
    await statuses(1, ...Array.from({ length: 25 }, (_, i) => i));
    const byCount = relay({ maxEvents: 10 });
    byCount.start();
    await all('sent');
    await byCount.stop();
    expect(workflows.batches.map(({ statuses }) => statuses.length)).toEqual([10, 10, 5]);
    await statuses(2, 100, 101, 102);
    relay({ maxBytes: Math.floor(bytes * 2.5) }).start();
    await all('sent');
    expect(workflows.batches.slice(3).map(({ statuses }) => statuses.length)).toEqual([2, 1]);
    expect(workflows.statusesOf(1)).toEqual(Array.from({ length: 25 }, (_, i) => i));
    expect(workflows.statusesOf(2)).toEqual([100, 101, 102]);
  });

  it('no signal is larger than 512 KiB, however well its events were compressed', async () => {
    const memo = 'm'.repeat(240 * 1024);
    const sizes: number[] = [];
    workflows.mood = (_, events) => {
      sizes.push(Buffer.byteLength(JSON.stringify(events)));
      return undefined;
    };
    for (let i = 0; i < 20; i++) {
      const update = reservationBody('update', aReservation(1, { reservationStatus: i, pickupMemo: memo }));
      const arrival = statusArrival(`large_${i}`, 1, {
        channel: 'update',
        path: pathOf('update'),
        headers: { 'content-encoding': 'gzip' },
        raw: gzipSync(update),
      });
      await createInboxStore(database, sealer).store(arrival);
    }
    relay().start();
    await all('sent');
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512 * 1024);
    expect(sizes).toHaveLength(10);
    expect(workflows.statusesOf(1)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('an event larger than the bound is sent alone', async () => {
    await statuses(1, 5, 10);
    relay({ maxBytes: 1 }).start();
    await all('sent');
    expect(workflows.batches.map(({ statuses }) => statuses)).toEqual([[5], [10]]);
  });

  it('the relay sends events of many reservations in parallel, within the bound', async () => {
    for (let id = 1; id <= 40; id++) await statuses(id, 5, 10);
    relay({ concurrency: 8 }).start();
    await all('sent');
    expect(workflows.most).toBeGreaterThan(1);
    expect(workflows.most).toBeLessThanOrEqual(8);
    for (let id = 1; id <= 40; id++) expect(workflows.statusesOf(id)).toEqual([5, 10]);
  });

  it('in a long backlog all that waits for a reservation goes by one signal, however far apart it came', async () => {
    // the oldest 128 rows have one or two of each
    const reservations = Array.from({ length: 100 }, (_, index) => index + 1);
    const codes = [5, 10, 15, 20];
    for (const code of codes) for (const id of reservations) await statuses(id, code);
    relay({ maxEvents: 3, unjudged: withoutVerdicts() }).start();
    await all('sent');
    for (const id of reservations) {
      const batches = workflows.batches.filter(({ reservationId }) => reservationId === id);
      expect(batches.map(({ statuses }) => statuses)).toEqual([[5, 10, 15], [20]]);
    }
  });

  it('a long backlog of one reservation does not delay the others', async () => {
    const unbound = createSealer([publicTestKey], { bind: false });
    await database.db.execute(sql`
      insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
      select 'webhook-id', 'long_' || i, 'status', '/x', 1, to_timestamp(1), '{}',
        decode(${unbound.seal(Buffer.from(statusBody(1, 10)), '').toString('hex')}, 'hex'), i
      from generate_series(1, 300) i`);
    await statuses(2, 5);
    let first = () => {};
    workflows.gate = new Promise((resolve) => {
      first = resolve;
    });
    const waked = relay({ pollMs: 60_000 });
    waked.start();
    waked.wake();
    await eventually('both are under way', () => workflows.underWay.size === 2).finally(first);
    await all('sent');
    expect(workflows.statusesOf(2)).toEqual([5]);
    expect(workflows.statusesOf(1)).toHaveLength(300);
  });

  it('the relay yields to the receiver: it sends one signal at a time while the event loop stays late', async () => {
    for (let id = 1; id <= 20; id++) await statuses(id, 5);
    const busy = relay({ concurrency: 2, lagMs: () => 500 });
    busy.start();
    await all('sent');
    expect(workflows.most).toBe(1);
  });

  it('the relay sheds load during an overload of callbacks and still continues, past a send that hangs', async () => {
    for (let id = 1; id <= 3; id++) await statuses(id, 5);
    let resume = () => {};
    workflows.gate = new Promise((resolve) => {
      resume = resolve;
    });
    relay({ isOverloaded: () => true }).start();
    await eventually('one is under way', () => workflows.underWay.size === 1);
    workflows.gate = Promise.resolve();
    await eventually('the others are sent', () => workflows.batches.length === 2).finally(resume);
    await all('sent');
  });

  it('a callback wakes the relay: update and status of one change travel in one signal', async () => {
    const waked = relay({ pollMs: 60_000, coalesceMs: 50 });
    waked.start();
    const app = await startReceiver(database, { onStored: () => waked.wake() });
    try {
      const update = reservationBody('update', aReservation(1, { reservationStatus: 10 }));
      const status = statusBody(1, 10);
      await Promise.all([
        app.post(pathOf('update'), update, signedHeaders(update)),
        app.post(pathOf('status'), status, signedHeaders(status)),
      ]);
      await all('sent');
      expect(workflows.batches).toEqual([{ reservationId: 1, statuses: [10, 10] }]);
    } finally {
      await app.close();
    }
  });

  it('a busy relay waits for further changes of a reservation and sends them in one signal; one at rest waits for none', async () => {
    let now = 2_000;
    const neverEnds = new Rate(1, () => 0);
    const running = relay({ clock: () => now, rate: neverEnds, coalesceMs: 10_000, busyCoalesceMs: 10_000 });
    const looked = async () => {
      const { turnedAt } = running;
      await eventually('the relay has looked', () => running.turnedAt > turnedAt);
    };
    const change = (code: number) => Promise.all([changed('update', code), changed('status', code)]);
    running.start();
    await change(5);
    await all('sent');
    for (const code of [10, 15]) {
      await change(code);
      await looked();
      await looked();
    }
    expect(workflows.batches).toHaveLength(1);
    now += 10_000;
    await all('sent');
    expect(workflows.batches.map(({ statuses }) => statuses.length)).toEqual([2, 4]);
  });

  it('restart: the next process sends the events that were received and not sent', async () => {
    await statuses(1, 5, 10);
    await database.close();
    database = await lane.open();
    relay().start();
    await all('sent');
    expect(workflows.statusesOf(1)).toEqual([5, 10]);
  });

  it('restart between signal and mark: the signal is repeated with the same event ids', async () => {
    await statuses(1, 5, 10);
    const ids: string[][] = [];
    const seen: SendBatch = async (_, events) => {
      ids.push(events.map(({ eventId }) => eventId));
      return 'sent';
    };
    // the process dies with the signal sent: its mark never reaches the database
    const dying = new Proxy(database.db, {
      get: (target, key) => {
        if (key === 'update') throw new Error('killed');
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const first = relay({ send: seen, db: dying, retry: { firstMs: 60_000, longestMs: 60_000 } });
    first.start();
    await eventually('the first signal', () => ids.length === 1);
    await first.stop();
    expect((await rows()).map(({ state }) => state)).toEqual(['received', 'received']);
    relay({ send: seen }).start();
    await all('sent');
    expect(ids).toHaveLength(2);
    expect(ids[1]).toEqual(ids[0]);
  });

  it('an inbox that does not answer is logged once, not at every poll', async () => {
    let looks = 0;
    let down = true;
    const lines: string[] = [];
    const failing = new Proxy(database.db, {
      get: (target, key) => {
        if (down && key === 'execute') {
          looks++;
          throw new Error('down');
        }
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
    await statuses(1, 5);
    relay({ db: failing, log }).start();
    await eventually('it looked several times', () => looks >= 4);
    down = false;
    await all('sent');
    expect(lines).toHaveLength(1);
  });

  it('the engine is down, then up: no event is lost, and all are sent in order', async () => {
    let down = true;
    let refusals = 0;
    workflows.mood = () => {
      if (!down) return undefined;
      refusals++;
      throw new EngineUnavailableError('UNAVAILABLE');
    };
    for (let id = 1; id <= 5; id++) await statuses(id, 5, 10);
    relay().start();
    await eventually('it was refused several times', () => refusals >= 4);
    for (let id = 1; id <= 5; id++) await statuses(id, 15);
    expect((await rows()).every(({ state, failures }) => state === 'received' && failures === 0)).toBe(true);
    down = false;
    await all('sent');
    for (let id = 1; id <= 5; id++) expect(workflows.statusesOf(id)).toEqual([5, 10, 15]);
  });

  it('reservations whose events the engine does not accept block no other reservation', async () => {
    let busy = true;
    workflows.mood = (reservationId) => {
      if (busy && reservationId <= 3) throw new EngineUnavailableError('RESOURCE_EXHAUSTED');
      return undefined;
    };
    for (let id = 1; id <= 6; id++) await statuses(id, 5, 10);
    relay({ concurrency: 1, retry: { firstMs: 5, longestMs: 1_000 } }).start();
    await eventually('the others are sent', async () => (await rows()).slice(6).every((row) => row.sentAt));
    expect((await rows()).slice(0, 6).map(({ state, failures }) => [state, failures])).toEqual(
      Array.from({ length: 6 }, () => ['received', 0]),
    );
    await statuses(7, 5, 10);
    await eventually('and so is who comes later', () => workflows.statusesOf(7).length === 2);
    busy = false;
    await all('sent');
    for (let id = 1; id <= 7; id++) expect(workflows.statusesOf(id)).toEqual([5, 10]);
  });

  const poison = (_: number, events: ReservationEvent[]) => {
    if (events.some(({ status }) => status === 666)) throw new EventsRefusedError('INVALID_ARGUMENT');
    return undefined;
  };

  it('a poison event blocks only its own reservation, and shows why', async () => {
    workflows.mood = poison;
    await statuses(1, 5, 666, 10);
    await statuses(2, 5, 10);
    relay({ maxRefusals: 1_000 }).start();
    await eventually('the others are sent, and so is what came before the poison', async () => {
      const sent = (await rows()).filter(({ state }) => state === 'sent');
      return sent.length === 3;
    });
    expect(workflows.statusesOf(1)).toEqual([5]);
    expect(workflows.statusesOf(2)).toEqual([5, 10]);
    const waiting = await eventually('its failures are counted', async () =>
      (await rows()).find(({ failures }) => failures > 1),
    );
    expect(waiting).toMatchObject({ reservationId: 1, state: 'received', lastError: 'INVALID_ARGUMENT' });
    expect(opened(waiting)).toBe(statusBody(1, 666));
  });

  it('a poison event is a dead letter after a fixed number of refusals, counted over restarts, and later events are sent', async () => {
    workflows.mood = poison;
    await statuses(1, 5, 666, 10);
    const first = relay({ maxRefusals: 4 });
    first.start();
    await eventually('it was refused', async () => (await rows()).some(({ failures }) => failures > 0));
    await first.stop();
    relay({ maxRefusals: 4 }).start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, failures, lastError }) => [state, failures, lastError])).toEqual([
      ['sent', 0, null],
      ['dead', 4, 'INVALID_ARGUMENT'],
      ['sent', 0, null],
    ]);
    expect(workflows.statusesOf(1)).toEqual([5, 10]);
  });

  it('where a reservation accepts no event at all, all its waiting events become dead letters together', async () => {
    workflows.mood = (reservationId) => {
      if (reservationId === 1) throw new EventsRefusedError('WORKFLOW_TERMINATED', { whicheverEvent: true });
      return undefined;
    };
    await statuses(1, 5, 10, 15);
    await statuses(2, 5);
    relay({ maxRefusals: 3 }).start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ...[1, 2, 3].map(() => ['dead', 'WORKFLOW_TERMINATED']),
      ['sent', null],
    ]);
  });

  it('an event that was tampered with in the database is a dead letter at once, and blocks no other event', async () => {
    await statuses(1, 5, 10, 15);
    await database.db
      .update(inbox)
      .set({ raw: Buffer.from('{"clear":true}') })
      .where(eq(inbox.receivedAt, 1_000 + events - 1));
    relay().start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ['sent', null],
      ['dead', 'CODEC_PAYLOAD_DAMAGED'],
      ['sent', null],
    ]);
  });

  it('an event that this process reads as one of another reservation than the receiver did is sent to neither', async () => {
    await statuses(1, 5);
    await store(1, sealer, statusBody(2, 10));
    await statuses(1, 15);
    await statuses(2, 20);
    relay().start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ['sent', null],
      ['dead', 'RESERVATION_DIFFERS'],
      ['sent', null],
      ['sent', null],
    ]);
    expect([workflows.statusesOf(1), workflows.statusesOf(2)]).toEqual([[5, 15], [20]]);
  });

  it('once another process has handled the events that this one could not send, later events of their reservation are sent together again', async () => {
    workflows.mood = (reservationId) => {
      if (reservationId === 1) throw new EventsRefusedError('INVALID_ARGUMENT');
      return undefined;
    };
    await statuses(1, 5, 10, 15);
    relay({ retry: { firstMs: 1, longestMs: 1 }, maxRefusals: 1_000 }).start();
    await eventually('the first is refused alone', async () => ((await rows())[0]?.failures ?? 0) > 0);
    await database.db.update(inbox).set({ state: 'dead' });
    await statuses(2, 5);
    await eventually('there was a poll since', () => workflows.statusesOf(2).length === 1);
    workflows.mood = () => undefined;
    await database.db
      .update(inbox)
      .set({ state: 'received' })
      .where(and(eq(inbox.state, 'dead'), gt(inbox.receivedAt, 1_000 + events - 3)));
    await eventually('the others are sent', () => workflows.statusesOf(1).length === 2);
    expect(workflows.batches.filter(({ reservationId }) => reservationId === 1)).toHaveLength(1);
  });

  it('an event under a key that this process lacks waits in order until the key is there, and the log names the key once', async () => {
    const next = { id: 'next', key: Buffer.alloc(32, 7) };
    await statuses(1, 5);
    await store(1, createSealer([next, publicTestKey]), statusBody(1, 10));
    await statuses(1, 15);
    await statuses(2, 5);
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    let tries = 0;
    const blind: Sealer = {
      ...sealer,
      open: (sealed, row) => {
        if (Buffer.from(sealed).includes('next')) tries++;
        return sealer.open(sealed, row);
      },
    };
    const without = relay({ maxRefusals: 1, log, sealer: blind });
    without.start();
    await eventually('it was tried more than once', () => tries >= 3);
    expect(without.lacksKey, 'another process may have it').toBe(true);
    await without.stop();
    expect(workflows.statusesOf(1)).toEqual([5]);
    expect(workflows.statusesOf(2)).toEqual([5]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'CODEC_KEY_UNKNOWN', keyId: 'next' });
    relay({ sealer: createSealer([next, publicTestKey]) }).start();
    await all('sent');
    expect(workflows.statusesOf(1)).toEqual([5, 10, 15]);
  });

  it('a shard that comes back is given away again, where its process still lacks the key of an event, also after another cause', async () => {
    const next = { id: 'next', key: Buffer.alloc(32, 7) };
    const withKey = createSealer([next, publicTestKey]);
    await store(1, withKey, statusBody(1, 10));
    let skewMs = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + skewMs);
    const given = [...shards].map(
      ([shard, { name, epoch }]) => [shard, { name, epoch, remainingMs: () => 60_000 }] as const,
    );
    const own = new Map(given);
    let isAway = true;
    workflows.mood = () => {
      throw new DataKeyNotMade({ cause: new Error('timeout expired') });
    };
    const open: Sealer['open'] = (...sealed) => (isAway ? withKey : sealer).open(...sealed);
    const without = relay({ shards: own, sealer: { ...sealer, open } });
    const turn = () => {
      const { turnedAt } = without;
      return eventually('it has turned', () => without.turnedAt > turnedAt);
    };
    try {
      without.start();
      await turn();
      await turn();
      isAway = false;
      await eventually('its event was postponed before', () => without.lacksKey);
      skewMs = 10 * 60_000;
      expect(without.lacksKey).toBe(false);
      own.clear();
      await turn();
      await turn();
      for (const [shard, lease] of given) own.set(shard, lease);
      await eventually('it is given away again', () => without.lacksKey);
    } finally {
      clock.mockRestore();
    }
  });

  it('an event whose data key is wrapped by a key that this process lacks waits, and delays no other reservation', async () => {
    await statuses(1, 5, 10);
    await statuses(2, 5);
    let tries = 0;
    workflows.mood = (reservationId) => {
      if (reservationId !== 1) return undefined;
      tries++;
      throw new UnknownKeyError('next');
    };
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    relay({ maxRefusals: 2, log }).start();
    await eventually('it was tried more often than a refused one', () => tries > 5);
    expect(workflows.statusesOf(2)).toEqual([5]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'CODEC_KEY_UNKNOWN', keyId: 'next' });
    workflows.mood = () => undefined;
    await all('sent');
    expect(workflows.statusesOf(1)).toEqual([5, 10]);
  });

  it('while the database gives no answer about a data key, its events wait; the log names the database, and other reservations continue', async () => {
    await statuses(1, 5, 10);
    let tries = 0;
    workflows.mood = (reservationId) => {
      if (reservationId !== 1) return undefined;
      tries++;
      throw new DataKeyNotMade({ cause: new Error('timeout expired') });
    };
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    relay({ maxRefusals: 2, log }).start();
    await eventually('it was tried more often than a refused one', () => tries > 5);
    await statuses(2, 5, 10);
    await statuses(3, 5);
    await eventually(
      'the others have theirs',
      () => workflows.batches.flatMap(({ statuses }) => statuses).length >= 3,
    );
    expect(workflows.statusesOf(2)).toEqual([5, 10]);
    expect(workflows.statusesOf(3)).toEqual([5]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { code: 'DATABASE_SILENT', msg: 'the database gives no answer about a data key: callbacks wait' },
    ]);
    workflows.mood = () => undefined;
    await all('sent');
    expect(workflows.statusesOf(1)).toEqual([5, 10]);
  });

  it('L63: an event that cannot be read gets its verdict at once and blocks no other event', async () => {
    await store(null, sealer, 'unreadable');
    await store(1, sealer, 'a body of another profile');
    await statuses(1, 5);
    relay().start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, verdict, rule }) => [state, verdict, rule])).toEqual([
      ['done', 'invalid', 'L63'],
      ['done', 'invalid', 'L63'],
      ['sent', null, null],
    ]);
    expect(workflows.statusesOf(1)).toEqual([5]);
  });

  it('L63: an event that a profile reads as what cannot be written as JSON gets its verdict, and later events are sent', async () => {
    const cycle: { itself?: unknown } = {};
    cycle.itself = cycle;
    const toJSON = () => {
      throw new Error('no JSON');
    };
    const unwritable = new Map<unknown, unknown>([
      [901, 1n],
      [902, cycle],
      [903, { toJSON }],
    ]);
    const decode: typeof wire.decode = (...given) => {
      const callback = wire.decode(...given);
      const status = 'reservationStatus' in callback && unwritable.get(callback.reservationStatus);
      return status ? ({ ...callback, reservationStatus: status } as typeof callback) : callback;
    };
    await statuses(1, 901, 902, 903, 5);
    relay({ wire: { ...wire, decode } }).start();
    await eventually('none waits', async () => (await rows()).every(({ state }) => state !== 'received'));
    expect((await rows()).map(({ state, rule }) => [state, rule])).toEqual([
      ...Array.from({ length: 3 }, () => ['done', 'L63']),
      ['sent', null],
    ]);
  });

  it('a compressed event reaches its workflow with its decompressed content', async () => {
    const body = gzipSync(statusBody(1, 15));
    const arrival = statusArrival('zipped', 1, { headers: { 'content-encoding': 'gzip' }, raw: body });
    await createInboxStore(database, sealer).store(arrival);
    relay().start();
    await all('sent');
    expect(workflows.statusesOf(1)).toEqual([15]);
  });

  it('L08: a reservation whose workflow has ended stays closed; its late events are recorded', async () => {
    workflows.mood = () => 'closed';
    await statuses(1, 20, 30);
    relay().start();
    await all('done');
    expect((await rows()).map(({ verdict, rule }) => [verdict, rule])).toEqual([
      ['after-terminal', 'L08'],
      ['after-terminal', 'L08'],
    ]);
  });

  it('a stop waits for the send under way, marks its events, and starts nothing new', async () => {
    let open = () => {};
    workflows.gate = new Promise((resolve) => {
      open = resolve;
    });
    await statuses(1, 5);
    const stopped = relay({ concurrency: 1 });
    stopped.start();
    await eventually('a send is under way', () => workflows.underWay.size === 1);
    await statuses(2, 5);
    const stopping = stopped.stop();
    open();
    await stopping;
    expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'received']);
  });
});
