import type { CalendarDate, Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';

const day = 24 * 3_600_000;

/**
 * Whole days in the service's zone, the end inclusive (G18), as an instant period; the end is not before the start.
 */
export function dayBounds(
  zone: WireProfile['zone'],
  startDate: CalendarDate,
  endDate: CalendarDate,
): { startAt: Instant; endAt: Instant } {
  const midnight = (date: CalendarDate) => Date.parse(`${date}T00:00:00Z`) - zone.offsetMinutes * 60_000;
  const startAt = midnight(startDate);
  const endAt = midnight(endDate) + day;
  return { startAt, endAt };
}
