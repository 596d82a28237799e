import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asc } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { shardLease } from '../../src/inbox/relay/plan-leases.js';
import { readRelays } from '../../src/inbox/relay/read-relays.js';
import { Relay, type RelayOptions } from '../../src/inbox/relay/relay.js';
import { ShardOwner } from '../../src/inbox/relay/shard-owner.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { shardOf } from '../../src/store/callbacks/shard.js';
import { leaseHolders } from '../../src/store/connection/lease-holder.js';
import type { Session } from '../../src/store/connection/session.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { inbox } from '../../src/store/schema.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody, wire } from '../support/callbacks.js';
import type { FromRelay } from '../support/crash/relay-process.js';
import { onEveryDatabase, ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freeze } from '../support/freeze.js';
import { sealer } from '../support/intake.js';

const log = pino({ level: 'silent' });

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function callbacksInto(database: HandoverDatabase) {
  const store = createInboxStore(database, sealer);
  let count = 0;
  return (reservationId: number) => {
    count += 1;
    const changes = { receivedAt: Date.now(), raw: Buffer.from(statusBody(reservationId, count)) };
    return store.store(statusArrival(`msg_${count}`, reservationId, changes));
  };
}

onEveryDatabase('a relay whose process is frozen', (lane) => {
  let database: HandoverDatabase;
  const processes: ShardOwner[] = [];
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.stop()));
    await database.db.delete(inbox);
  });
  afterAll(() => database.close());

  const begin = (send: RelayOptions['send'], session = database.session) => {
    const active = new ShardOwner({
      session,
      log,
      everyMs: 20,
      leaseMs: 400,
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
          send,
          recordLate: async () => {},
        }),
    });
    processes.push(active);
    active.start();
    return active;
  };
  const states = async () =>
    (await database.db.select().from(inbox).orderBy(asc(inbox.id))).map(({ state }) => state);

  it('loses its lease: another relay sends the waiting events, and the frozen one sends and marks nothing more', async () => {
    const callback = callbacksInto(database);
    await callback(1);
    const thaw = gate();
    let isFrozen = false;
    /** Its renewals do not come through any more, as those of a process that does not run. */
    const freezing = async (): Promise<Session> => {
      const session = await database.session();
      const renewLeases: Session['renewLeases'] = async (...leases) => {
        if (isFrozen) await thaw.opened;
        return session.renewLeases(...leases);
      };
      return { ...session, renewLeases };
    };
    const sent = { first: [] as number[], second: [] as number[] };
    begin(async (_, events) => {
      sent.first.push(events.length);
      isFrozen = true;
      await thaw.opened;
      return 'sent';
    }, freezing);
    await eventually('it sends, and freezes', () => isFrozen);
    const since = async () => (await leaseHolders(database.db, [shardLease(shardOf(1))]))[0]?.since ?? 0;
    const before = await since();
    const answer = gate();
    begin(async (_, events) => {
      sent.second.push(events.length);
      await answer.opened;
      return 'sent';
    });
    await eventually('the second sends the same', () => sent.second.length === 1);
    expect(await since()).toBeGreaterThan(before);
    await callback(2);
    thaw.open();
    await eventually('the second sends what is new', () => sent.second.length === 2);
    await processes[0]?.stop();
    expect(await states(), 'what the first had sent before it froze is the second one’s to mark').toEqual([
      'received',
      'received',
    ]);
    expect(sent.first).toEqual([1]);
    answer.open();
    await eventually('the second marks both', async () => (await states()).every((one) => one === 'sent'));
  });

  it('continues with its lease where no other process took over', async () => {
    const callback = callbacksInto(database);
    const sent: number[] = [];
    let isFrozen = true;
    const thaw = gate();
    begin(
      async (reservationId) => {
        sent.push(reservationId);
        return 'sent';
      },
      async () => {
        const session = await database.session();
        return {
          ...session,
          async renewLeases(...leases) {
            if (isFrozen) await thaw.opened;
            return session.renewLeases(...leases);
          },
        };
      },
    );
    const isHeld = async () => (await readRelays(database.db)).leader !== null;
    await eventually('it has the lease', isHeld);
    await eventually('its lease is over', async () => !(await isHeld()));
    await callback(3);
    await sleep(200); // ten polls
    expect(sent, 'without a lease it sends nothing').toEqual([]);
    isFrozen = false;
    thaw.open();
    await eventually('it is sent', () => sent.length === 1);
  });
});

const server = process.env.HANDOVER_TEST_DATABASE_URL;
describe.skipIf(server === undefined)(
  `SIGSTOP under load${server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : ''}`,
  () => {
    const own = ownDatabase(server ?? '');

    it('another process takes over; each event arrives first in its order and has one verdict; the thawed process sends none of what it lost', async () => {
      const url = await own();
      const database = await openHandoverDatabase({ url, folder: '' });
      onTestFinished(() => database.close());
      const record = createRecorder(database.db);
      const seen = new Map<number, number[]>();
      const recording: Promise<void>[] = [];
      const onSent = ({ reservationId, inboxIds }: Extract<FromRelay, { kind: 'sent' }>) => {
        const known = seen.get(reservationId) ?? [];
        seen.set(reservationId, known);
        const verdicts = inboxIds.map((inboxId) => {
          const verdict = known.includes(inboxId) ? ('duplicate' as const) : ('applied' as const);
          if (verdict === 'applied') known.push(inboxId);
          return { inboxId, verdict, rule: 'L01' };
        });
        recording.push(record({ reservationId, verdicts, entries: [] }));
      };
      const relays = [1, 2].map(() => new RelayProcess(url, onSent));
      onTestFinished(() => Promise.all(relays.map((relay) => relay.kill())).then(() => {}));
      const active = await eventually('one is active', () => relays.find(({ isActive }) => isActive), 30_000);
      const standby = relays.find((relay) => relay !== active) as RelayProcess;

      const callback = callbacksInto(database);
      let stored = 0;
      const sending = setInterval(() => {
        stored += 1;
        recording.push(callback(1 + (stored % 5)));
      }, 20);
      onTestFinished(() => clearInterval(sending));
      await eventually('it sends', () => active.sent.length > 5);
      await freeze(active.child.pid as number);
      await eventually('the other takes over', () => standby.sent.length > 5, 20_000);
      const thawedAt = Date.now();
      active.child.kill('SIGCONT');
      const before = standby.sent.length;
      await eventually('the other one continues', () => standby.sent.length > before + 50);
      clearInterval(sending);
      await Promise.all(recording);
      const rows = await eventually(
        'all have their verdict',
        async () => {
          const all = await database.db.select().from(inbox).orderBy(asc(inbox.id));
          return all.every(({ state }) => state === 'done') && all;
        },
        20_000,
      );
      expect(rows.filter(({ verdict }) => verdict !== 'applied')).toEqual([]);
      for (const [reservationId, ids] of seen) {
        expect(ids).toEqual(rows.filter((row) => row.reservationId === reservationId).map(({ id }) => id));
      }
      const repeated = active.sent.filter(
        ({ at, id }) => at > thawedAt && standby.sent.some((one) => one.id === id),
      );
      expect(repeated, 'it has a share again, and sends no event that the other sent').toEqual([]);
    }, 60_000);
  },
);

class RelayProcess {
  readonly child: ChildProcess;
  isActive = false;
  readonly sent: { at: number; id: number }[] = [];

  constructor(url: string, onSent: (sent: Extract<FromRelay, { kind: 'sent' }>) => void) {
    const program = fileURLToPath(new URL('../support/crash/relay-process.ts', import.meta.url));
    const typescript = new URL('../support/typescript.mjs', import.meta.url).href;
    this.child = fork(program, [url, '1500'], { execArgv: ['--import', typescript] });
    this.child.on('message', (message: FromRelay) => {
      if (message.kind === 'active') this.isActive = true;
      else {
        for (const id of message.inboxIds) this.sent.push({ at: message.at, id });
        onSent(message);
      }
    });
  }

  kill(): Promise<void> {
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.kill('SIGKILL');
    });
  }
}
