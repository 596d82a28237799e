import type { Instant } from '../shared/time.js';
import type { ReservationState } from './state.js';

/**
 * A state as the one that follows another. Its sequence is the time in milliseconds, or more: it grows also where a run was
 * reset or begins again.
 */
export function inSequence(
  before: ReservationState,
  after: ReservationState,
  now: Instant,
): ReservationState {
  if (after === before) return before;
  return { ...after, sequence: Math.max((before.sequence ?? 0) + 1, now) };
}
