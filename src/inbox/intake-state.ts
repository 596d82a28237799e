import type { Instant } from '../domain/shared/time.js';
import { backlog } from '../store/callbacks/backlog.js';
import { leaseHolder, leaseHolders } from '../store/connection/lease-holder.js';
import type { HandoverDb } from '../store/handover.js';
import { waitingPosts } from '../store/outbox/queue.js';
import type { FigureBook, ReceiverFigures } from './receive/figures.js';
import { relayLease, shardLeases } from './relay/plan-leases.js';

/** The state of the intake. */
export interface IntakeState {
  /** Of this process alone. */
  receiver: ReceiverFigures;
  /** Callbacks that no workflow has yet, and since when the oldest waits. */
  backlog: { events: number; oldestAt: Instant | null };
  deadLetters: number;
  lastEventAt: Instant | null;
  /**
   * The leading relay: since when it is, and from where it connects (null: the machine of the database). Null: none is active.
   */
  relay: { since: Instant; address: string | null } | null;
  /** Each process with shards: how many, since when it has the newest of them, and from where it connects. */
  relays: { shards: number; since: Instant; address: string | null }[];
  /** Callbacks that FORWARD_URL has not accepted yet; null: nothing is forwarded. */
  forwarding: { events: number; oldestAt: Instant | null } | null;
  asOf: Instant;
}

/** @param forwards whether FORWARD_URL is set; callbacks that still wait for an address that was removed are reported too */
export async function readIntakeState(
  db: HandoverDb,
  { figures, forwards, clock }: { figures: FigureBook; forwards: boolean; clock: () => number },
): Promise<IntakeState> {
  const [receiver, { events, oldestAt, newestAt, deadLetters }, relay, shards, waiting] = await Promise.all([
    figures.read(),
    backlog(db),
    leaseHolder(db, relayLease),
    leaseHolders(db, shardLeases),
    waitingPosts(db, 'forward'),
  ]);
  return {
    receiver,
    backlog: { events, oldestAt },
    deadLetters,
    lastEventAt: newestAt,
    relay,
    relays: relaysOf(shards),
    forwarding: forwards || waiting.posts > 0 ? { events: waiting.posts, oldestAt: waiting.oldestAt } : null,
    asOf: clock(),
  };
}

function relaysOf(shards: Awaited<ReturnType<typeof leaseHolders>>): IntakeState['relays'] {
  const relays = new Map<string, IntakeState['relays'][number]>();
  for (const { process, since, address } of shards) {
    const relay = relays.get(process) ?? { shards: 0, since, address };
    relays.set(process, { ...relay, shards: relay.shards + 1, since: Math.max(since, relay.since) });
  }
  return [...relays.values()];
}
