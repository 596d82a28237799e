import type { Instant } from '../../platform/model.js';

/**
 * Decides about a reservation's R schedule at a terminal status (G39): one that has not begun is deleted, one that has
 * begun ends now, one that has ended stays as it is.
 */
export function release(
  period: { startAt: Instant; endAt: Instant },
  now: Instant,
): 'delete' | 'keep' | { endAt: Instant } {
  if (period.startAt >= now) return 'delete';
  return period.endAt > now ? { endAt: now } : 'keep';
}
