import type { Instant } from '../../platform/model.js';
import { Refusal } from './refusal.js';

/** How far back a booking may begin: a customer at the counter, and clocks that differ. The specification is silent. */
const startToleranceMs = 3_600_000;

/** @throws `Refusal` INVALID_REQUEST for an end that is not after the start, one that has passed, or an old start. */
export function assertBookable(period: { startAt: Instant; endAt: Instant }, now: Instant): void {
  assertOrdered(period);
  if (period.endAt <= now) throw new Refusal('INVALID_REQUEST', 'endAt has passed');
  if (period.startAt < now - startToleranceMs) {
    throw new Refusal('INVALID_REQUEST', 'startAt lies more than one hour in the past');
  }
}

/** @throws `Refusal` INVALID_REQUEST unless the end is after the start. */
export function assertOrdered(period: { startAt: Instant; endAt: Instant }): void {
  if (period.endAt <= period.startAt) throw new Refusal('INVALID_REQUEST', 'endAt must be after startAt');
}
