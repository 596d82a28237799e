import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Relay } from '../../src/inbox/relay/relay.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { statusArrival } from '../support/arrivals.js';
import { wire } from '../support/callbacks.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { allOwnShards } from '../support/own-shards.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';

describe.skipIf(server === undefined)(`of two receivers (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  const databases: HandoverDatabase[] = [];
  beforeAll(async () => {
    const url = await own();
    for (const _ of [1, 2]) databases.push(await openHandoverDatabase({ url, folder: '' }));
    // a commit that takes half a second after its ids are drawn
    await databases[0]?.db.execute(sql`
      create function commit_slowly() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.5); return null; end $$`);
    await databases[0]?.db.execute(sql`
      create constraint trigger commit_slowly after insert on inbox deferrable initially deferred
        for each row when (new.event_id like 'slow%') execute function commit_slowly()`);
  });
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const aCommitIsDelayed = ({ db }: HandoverDatabase) =>
    eventually('its ids are drawn', async () => {
      const commits = await db.execute(sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
      return rowsOf(commits).length > 0;
    });

  it('the one whose commit is delayed blocks later events of the reservation, and no other reservation', async () => {
    const [database, other] = databases;
    if (database === undefined || other === undefined) throw new Error('two databases are open');
    const acknowledged: string[] = [];
    const inOrder = async (): Promise<string[]> => {
      const found = await other.db.execute(sql`select event_id from inbox order by id`);
      return rowsOf<{ event_id: string }>(found).map(({ event_id }) => event_id);
    };
    /** What was visible when an event was acknowledged. */
    const visible: string[][] = [];
    const [first, second] = [database, other].map((one) => createInboxStore(one, sealer, { forwards: true }));
    const store = async (which: typeof first, eventId: string, reservationId: number) => {
      await which?.store(statusArrival(eventId, reservationId));
      acknowledged.push(eventId);
      visible.push(await inOrder());
    };
    const slow = store(first, 'slow', 1);
    await aCommitIsDelayed(other);
    await Promise.all([slow, store(second, 'same reservation', 1), store(first, 'its own receiver', 1)]);
    const events = await inOrder();
    expect(events).toHaveLength(3);
    // nothing comes in between later
    for (const seen of visible) expect(seen).toEqual(events.slice(0, seen.length));
    expect(events[0]).toBe('slow');
    const forwarded = await other.db.execute(sql`select message_id from outbox order by id`);
    expect(rowsOf<{ message_id: string }>(forwarded).map((row) => row.message_id)).toEqual(events);
    acknowledged.length = 0;
    await Promise.all([store(first, 'slow again', 2), store(second, 'another reservation', 3)]);
    expect(acknowledged).toEqual(['another reservation', 'slow again']);
  });

  it('one that waits for the other sees what the other has stored', async () => {
    const [database, other] = databases;
    if (database === undefined || other === undefined) throw new Error('two databases are open');
    // what an abandoned commit stores late, without an id of its own
    const same = statusArrival('same', 9, { identity: 'content' });
    let stored: Promise<void> | undefined;
    await other.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${0x696e626f}::integer, 9)`);
      stored = createInboxStore(database, sealer).store(same);
      await eventually('it waits', async () => {
        const locks = await tx.execute(
          sql`select 1 from pg_locks where locktype = 'advisory' and not granted`,
        );
        return rowsOf(locks).length > 0;
      });
      await tx.execute(sql`
        insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
        values ('content', 'same', 'status', '/x', 9, ${new Date(1_000).toISOString()}, '{}', '', 'same')`);
    });
    await stored;
    const rows = await other.db.execute(sql`select 1 from inbox where reservation_id = 9`);
    expect(rowsOf(rows)).toHaveLength(1);
  });

  it('the relay sends the events of a reservation in the order in which they became visible', async () => {
    const [database, other] = databases;
    if (database === undefined || other === undefined) throw new Error('two databases are open');
    await database.db.execute(sql`delete from inbox`);
    const sent: string[] = [];
    const stores = [database, other].map((one) => createInboxStore(one, sealer));
    const relay = new Relay({
      db: other.db,
      wire,
      sealer,
      log: pino({ level: 'silent' }),
      shards: await allOwnShards(other),
      pollMs: 20,
      send: async (_, events) => {
        sent.push(...events.map(({ eventId }) => eventId));
        return 'sent';
      },
      recordLate: async () => {},
    });
    relay.start();
    const slow = stores[0]?.store(statusArrival('slow', 7));
    await aCommitIsDelayed(other);
    await Promise.all([
      slow,
      stores[1]?.store(statusArrival('quick', 7)),
      stores[0]?.store(statusArrival('later', 7)),
    ]);
    await eventually('all are sent', () => sent.length === 3);
    await relay.stop();
    const inOrder = await other.db.execute(sql`select event_id from inbox order by id`);
    expect(sent).toEqual(rowsOf<{ event_id: string }>(inOrder).map(({ event_id }) => event_id));
  });
});
