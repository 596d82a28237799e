import type { EventChannel } from '../../domain/reservation/types.js';
import type { Instant } from '../../domain/shared/time.js';

interface Waiting {
  channel: EventChannel;
  receivedAt: Instant;
}

export interface Coalescing {
  /** The longest wait of a callback for further ones of its reservation. */
  waitMs: number;
  /** Also where both channels have reported a change: one signal may bring several changes. */
  pairsWait: boolean;
}

/**
 * When the events that wait for one reservation are to be sent. Two channels report most changes: the first callback waits for
 * the second, so that one signal brings both. A registration has no second one, and waits for nothing.
 * @param waiting in order of arrival
 */
export function dueAt(
  [first, ...others]: readonly [Waiting, ...Waiting[]],
  { waitMs, pairsWait }: Coalescing,
): Instant {
  const isPair = others.some(({ channel }) => channel !== first.channel);
  const isDue = first.channel === 'registration' || (isPair && !pairsWait);
  return first.receivedAt + (isDue ? 0 : waitMs);
}
