import type { Instant } from '../domain/shared/time.js';
import { backlog, countUnjudged } from '../store/callbacks/backlog.js';
import type { HandoverDb } from '../store/handover.js';
import { waitingPosts } from '../store/outbox/queue.js';
import type { ReceiverFigures } from './receive/figures.js';
import { type Relays, readRelays } from './relay/read-relays.js';

/** The state of the intake. */
export interface IntakeState {
  /** Of this process alone. */
  receiver: ReceiverFigures;
  /** Callbacks that no workflow has yet, and since when the oldest waits. */
  backlog: { events: number; oldestAt: Instant | null };
  /** Callbacks that were sent to their reservations and have no verdict yet, and when the oldest was sent. */
  unjudged: { events: number; oldestAt: Instant | null };
  deadLetters: number;
  lastEventAt: Instant | null;
  relays: Relays;
  /** Callbacks that FORWARD_URL has not accepted yet; null: nothing is forwarded. */
  forwarding: { events: number; oldestAt: Instant | null } | null;
  asOf: Instant;
}

/**
 * @param figures of the receiver of this process; `forwards`: whether FORWARD_URL is set; callbacks that still wait for an address that was
 * removed are reported too
 */
export async function readIntakeState(
  db: HandoverDb,
  {
    figures,
    forwards,
    clock,
  }: { figures: () => Promise<ReceiverFigures>; forwards: boolean; clock: () => number },
): Promise<IntakeState> {
  const [receiver, stored, unjudged, relays, waiting] = await Promise.all([
    figures(),
    backlog(db),
    countUnjudged(db),
    readRelays(db),
    waitingPosts(db, 'forward'),
  ]);
  const { events, oldestAt, unjudgedAt, newestAt, deadLetters } = stored;
  return {
    receiver,
    backlog: { events, oldestAt },
    unjudged: { events: unjudged, oldestAt: unjudgedAt },
    deadLetters,
    lastEventAt: newestAt,
    relays,
    forwarding: forwards || waiting.posts > 0 ? { events: waiting.posts, oldestAt: waiting.oldestAt } : null,
    asOf: clock(),
  };
}
