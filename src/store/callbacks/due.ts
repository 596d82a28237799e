import type { EventChannel } from '../../domain/reservation/types.js';
import type { Instant } from '../../domain/shared/time.js';

interface Waiting {
  channel: EventChannel;
  receivedAt: Instant;
}

/** Of the longest wait at rest. */
const busyFactor = 3;

export interface Coalescing {
  /** The longest wait at rest. */
  coalesceMs: number;
  /** Many signals are sent. */
  isBusy: boolean;
}

/** Milliseconds. */
export const longestWait = ({ coalesceMs, isBusy }: Coalescing): number =>
  isBusy ? busyFactor * coalesceMs : coalesceMs;

/**
 * When the events that wait for one reservation are to be sent. Two channels report most changes: the first callback waits for the second,
 * so that one signal brings both. A registration has no second one. Under load callbacks arrive further apart and each signal costs what
 * others wait for: then all wait longer, complete or not, and one signal may bring several changes.
 * @param waiting in order of arrival
 */
export function dueAt([first, ...others]: readonly [Waiting, ...Waiting[]], coalescing: Coalescing): Instant {
  const isComplete =
    first.channel === 'registration' ||
    (!coalescing.isBusy && others.some(({ channel }) => channel !== first.channel));
  return first.receivedAt + (isComplete ? 0 : longestWait(coalescing));
}
