import type { Instant } from '../../platform/model.js';

/**
 * What becomes of a reservation's R schedule at a terminal status (G39): one not yet begun is deleted, one under
 * way ends now, one past stays as it is.
 */
export function release(
  period: { startAt: Instant; endAt: Instant },
  now: Instant,
): 'delete' | 'keep' | { endAt: Instant } {
  if (period.startAt >= now) return 'delete';
  return period.endAt > now ? { endAt: now } : 'keep';
}
