import { type SliceRead, slicesOf } from '../../src/domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../src/domain/reservation/types.js';

const hour = 3_600_000;
export const noon = Date.UTC(2026, 10, 21, 3);

/** The slices of a reading at noon, as the product reads them. */
export const slices = slicesOf(noon, { daysBack: 1, daysAhead: 30, sliceDays: 4, zoneOffsetMinutes: 540 });

/** What GET /schedule would show of the entries, request by request. */
export function readsOf(entries: readonly ScheduleEntry[]): SliceRead[] {
  return slices.map(({ from, to }) => ({
    from,
    to,
    entries: entries.filter(({ start, end }) => start < to && end > from),
  }));
}

/** An entry that begins so many hours after noon. */
export const entry = (scheduleId: number, carId: number, fromHour: number, hours = 10): ScheduleEntry => ({
  scheduleId,
  carId,
  start: noon + fromHour * hour,
  end: noon + (fromHour + hours) * hour,
});
