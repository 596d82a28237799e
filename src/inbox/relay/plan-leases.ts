import { allShards, shardCount } from '../../store/callbacks/shard.js';
import type { LeaseState } from '../../store/connection/lease.js';

/** The process that holds this lease also watches the inbox and purges old rows. Up to 0.3.0 it was the whole relay's. */
export const relayLease = 'relay';

const shardPrefix = 'relay shard ';
const seatPrefix = 'relay seat ';
export const shardLease = (shard: number): string => `${shardPrefix}${shard}`;
/** The shard of a lease of that name; undefined: the lease is of something else. */
export function shardOfLease(name: string): number | undefined {
  return name.startsWith(shardPrefix) ? Number(name.slice(shardPrefix.length)) : undefined;
}

const shardLeases: readonly string[] = allShards.map(shardLease);
/** A live process holds one, so that all processes count the same processes. More than these have no shard. */
const seats = allShards.map((seat) => `${seatPrefix}${seat}`);
export const relayLeases: readonly string[] = [relayLease, ...seats, ...shardLeases];

/** What a process does next. `most`: of `names`, the most wanted first. */
export interface LeasePlan {
  claim: { names: string[]; most: number }[];
  /** For other processes: to be released once nothing of them is under way. */
  release: string[];
}

/**
 * Spreads the shards evenly over the live processes: each takes free ones up to its share, and gives away what is beyond it.
 * The shares differ by one at the most and add up to all shards, so each process decides for itself. One that cannot send gives
 * everything to the others; if none can, one of them has everything.
 * @param states of all leases that exist
 * @param own names of the leases that this process holds
 * @param canSend false: this process cannot reach Temporal, or lacks a key
 */
export function planLeases(
  states: readonly LeaseState[],
  own: ReadonlySet<string>,
  holder: string,
  canSend = true,
): LeasePlan {
  const valid = new Map(states.filter(({ isValid }) => isValid).map((state) => [state.name, state]));
  const isFree = (name: string) => !own.has(name) && (valid.get(name)?.holder ?? holder) === holder;
  const ownSeat = seats.find((seat) => own.has(seat));
  const ownShards = shardLeases.filter((shard) => own.has(shard));
  const isAlone = !seats.some((seat) => (valid.get(seat)?.holder ?? holder) !== holder);
  if (ownSeat === undefined) {
    // of several that cannot send, the same seat lets only one in
    const wanted = canSend ? seats : seats.slice(0, isAlone ? 1 : 0);
    return { claim: claimOf([{ names: wanted.filter(isFree), most: 1 }]), release: [...own] };
  }
  if (!canSend && !isAlone) return { claim: [], release: seatLast(valid, own, holder) };
  // a relay of an earlier release sends the events of all shards
  if (isOfEarlierRelease(valid, holder)) return { claim: [], release: ownShards };
  const taken = seats.filter((seat) => seat === ownSeat || valid.has(seat));
  const share = shareOf(taken.indexOf(ownSeat), taken.length);
  const claim = claimOf([
    { names: [relayLease].filter(isFree), most: 1 },
    { names: shardLeases.filter(isFree), most: share - ownShards.length },
  ]);
  return { claim, release: ownShards.slice(share) };
}

function claimOf(wanted: LeasePlan['claim']): LeasePlan['claim'] {
  return wanted.filter(({ names, most }) => names.length > 0 && most > 0);
}

/** Without its seat, a process that still has the relay's lease would be taken for one of an earlier release. */
function seatLast(
  valid: ReadonlyMap<string, LeaseState>,
  own: ReadonlySet<string>,
  holder: string,
): string[] {
  if (valid.get(relayLease)?.holder !== holder) return [...own];
  return [...own].filter((name) => !seats.includes(name));
}

function shareOf(rank: number, processes: number): number {
  return Math.floor(shardCount / processes) + (rank < shardCount % processes ? 1 : 0);
}

/** Such a relay holds the lease without a seat. */
function isOfEarlierRelease(valid: ReadonlyMap<string, LeaseState>, holder: string): boolean {
  const active = valid.get(relayLease)?.holder ?? holder;
  return active !== holder && !seats.some((seat) => valid.get(seat)?.holder === active);
}
