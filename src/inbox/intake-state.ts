import type { Instant } from '../domain/shared/time.js';
import { backlog } from '../store/callbacks/backlog.js';
import { leaseHolder } from '../store/connection/lease-holder.js';
import type { HandoverDb } from '../store/handover.js';
import { waitingPosts } from '../store/outbox/queue.js';
import type { FigureBook, ReceiverFigures } from './receive/figures.js';
import { relayLease } from './relay/one-active.js';

/** The state of the intake. */
export interface IntakeState {
  /** Of this process alone. */
  receiver: ReceiverFigures;
  /** Callbacks that no workflow has yet, and since when the oldest waits. */
  backlog: { events: number; oldestAt: Instant | null };
  deadLetters: number;
  lastEventAt: Instant | null;
  /**
   * The active relay: since when it is, and from where it connects (null: the machine of the database). Null: none is active.
   */
  relay: { since: Instant; address: string | null } | null;
  /** Callbacks that FORWARD_URL has not accepted yet; null: nothing is forwarded. */
  forwarding: { events: number; oldestAt: Instant | null } | null;
  asOf: Instant;
}

/** @param forwards whether FORWARD_URL is set; callbacks that still wait for an address that was removed are reported too */
export async function readIntakeState(
  db: HandoverDb,
  { figures, forwards, clock }: { figures: FigureBook; forwards: boolean; clock: () => number },
): Promise<IntakeState> {
  const [receiver, { events, oldestAt, newestAt, deadLetters }, relay, waiting] = await Promise.all([
    figures.read(),
    backlog(db),
    leaseHolder(db, relayLease),
    waitingPosts(db, 'forward'),
  ]);
  return {
    receiver,
    backlog: { events, oldestAt },
    deadLetters,
    lastEventAt: newestAt,
    relay,
    forwarding: forwards || waiting.posts > 0 ? { events: waiting.posts, oldestAt: waiting.oldestAt } : null,
    asOf: clock(),
  };
}
