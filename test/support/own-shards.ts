import { shardLease } from '../../src/inbox/relay/plan-leases.js';
import type { OwnShards } from '../../src/inbox/relay/shard-owner.js';
import { allShards } from '../../src/store/callbacks/shard.js';
import type { HandoverDatabase } from '../../src/store/handover.js';

const durationMs = 240_000;

/** All shards under leases of the database, for a relay that is the only one. */
export async function allOwnShards({ session }: Pick<HandoverDatabase, 'session'>): Promise<OwnShards> {
  const own = await session();
  const names = allShards.map(shardLease);
  const leases = await own.claimLeases({ names, most: names.length, holder: 'a test', durationMs });
  await own.close();
  return new Map(
    allShards.map((shard) => {
      const lease = leases.find(({ name }) => name === shardLease(shard));
      if (lease === undefined) throw new Error(`another process relays shard ${shard}`);
      return [shard, lease];
    }),
  );
}
