import type { Instant } from '../../domain/shared/time.js';
import { shardCount } from '../../store/callbacks/shard.js';
import { leaseHolders } from '../../store/connection/lease-holder.js';
import type { HandoverDb } from '../../store/handover.js';
import { relayLease, relayLeases, shardOfLease } from './plan-leases.js';

/** A process of the relay: since when it is what it is, and from where it connects (null: the machine of the database). */
interface RelayProcess {
  since: Instant;
  address: string | null;
}

/** Which processes relay now. */
export interface Relays {
  /** The one that also watches the inbox and purges old rows; null: none. */
  leader: RelayProcess | null;
  /** Each process that sends callbacks: those of how many shards, and since when it has the newest of them. */
  processes: (RelayProcess & { shards: number })[];
}

/** How many of the 16 shards belong to a process; callbacks of the others wait. */
export function heldShards({ processes }: { processes: readonly { shards: number }[] }): number {
  return processes.reduce((sum, { shards }) => sum + shards, 0);
}

/** @throws as the database */
export async function readRelays(db: HandoverDb): Promise<Relays> {
  const held = await leaseHolders(db, relayLeases);
  const lead = held.find(({ name }) => name === relayLease);
  const leader = lead === undefined ? null : { since: lead.since, address: lead.address };
  const ofShards = held.filter(({ name }) => shardOfLease(name) !== undefined);
  // a relay of 0.3.0 has this lease alone, and sends everything
  const isAlone = !held.some((one) => one !== lead && one.process === lead?.process);
  if (leader !== null && isAlone && ofShards.length === 0)
    return { leader, processes: [{ ...leader, shards: shardCount }] };
  const processes = new Map<string, Relays['processes'][number]>();
  for (const { process, since, address } of ofShards) {
    const { shards, since: newest } = processes.get(process) ?? { shards: 0, since };
    processes.set(process, { shards: shards + 1, since: Math.max(since, newest), address });
  }
  return { leader, processes: [...processes.values()] };
}
