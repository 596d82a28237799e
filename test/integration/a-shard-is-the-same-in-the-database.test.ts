import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { allShards, shardOf } from '../../src/store/callbacks/shard.js';
import { waitingEvents } from '../../src/store/callbacks/waiting.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { statusArrival } from '../support/arrivals.js';
import { onOneDatabase } from '../support/database.js';
import { sealer } from '../support/intake.js';

onOneDatabase('a row of the inbox', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('is read by the relay of its shard alone; one without a reservation by that of 0', async () => {
    const store = createInboxStore(database, sealer);
    const ids = [1, 2, 3, 17, 999, 8_421, 2_147_483_647, 2_147_483_648, 5_000_000_000, 9_007_199_254_740_991];
    for (const id of ids) await store.store(statusArrival(`msg_${id}`, id, { receivedAt: 1_000 }));
    await store.store(statusArrival('msg_unreadable', null, { receivedAt: 1_000 }));
    const of = (shards: number[]) =>
      waitingEvents(database.db, {
        shards,
        except: [],
        waitMs: 0,
        pairsWait: false,
        now: 2_000,
        reservations: 100,
        maxEvents: 10,
        maxBytes: 10_000,
      });
    for (const shard of allShards) {
      const { batches, unreadable } = await of([shard]);
      expect(batches.map(({ reservationId }) => reservationId)).toEqual(
        ids.filter((id) => shardOf(id) === shard),
      );
      expect(unreadable).toHaveLength(shard === 0 ? 1 : 0);
    }
    const half = await of(allShards.filter((shard) => shard % 2 === 1));
    expect(half.reservations).toEqual(ids.filter((id) => shardOf(id) % 2 === 1));
    const count = await database.db.execute(sql`select count(*)::integer as n from inbox`);
    expect((await of([...allShards])).batches).toHaveLength((rowsOf<{ n: number }>(count)[0]?.n ?? 0) - 1);
  });
});
