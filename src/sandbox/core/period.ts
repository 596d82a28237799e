import type { Instant } from '../../platform/model.js';
import { Refusal } from './refusal.js';

/**
 * How far back a booking may begin, or a start be moved: a customer at the counter, and clocks that differ. The
 * specification is silent.
 */
const startToleranceMs = 3_600_000;

/** @throws `Refusal` INVALID_REQUEST for an end that is not after the start, one that has passed, or an old start. */
export function assertBookable(period: { startAt: Instant; endAt: Instant }, now: Instant): void {
  assertEndsAhead(period, now);
  if (period.startAt < now - startToleranceMs) {
    throw new Refusal('INVALID_REQUEST', 'startAt lies more than one hour in the past');
  }
}

/** @throws `Refusal` INVALID_REQUEST for an end that is not after the start, or one that has passed. */
export function assertEndsAhead(
  { startAt, endAt }: { startAt: Instant; endAt: Instant },
  now: Instant,
): void {
  if (endAt <= startAt) throw new Refusal('INVALID_REQUEST', 'endAt must be after startAt');
  if (endAt <= now) throw new Refusal('INVALID_REQUEST', 'endAt has passed');
}
