import type { EventChannel } from '../../domain/reservation/types.js';
import type { Instant } from '../../domain/shared/time.js';

interface Waiting {
  channel: EventChannel;
  receivedAt: Instant;
}

/**
 * When the events that wait for one reservation are to be sent. Two channels report most changes: the first callback waits for the second,
 * so that one signal brings both. A registration has no second one.
 * @param waiting in order of arrival
 * @param coalesceMs the longest wait
 */
export function dueAt([first, ...others]: readonly [Waiting, ...Waiting[]], coalesceMs: number): Instant {
  const isComplete =
    first.channel === 'registration' || others.some(({ channel }) => channel !== first.channel);
  return first.receivedAt + (isComplete ? 0 : coalesceMs);
}
