import type { Instant } from '../shared/time.js';
import type { Slice } from './world.js';

const day = 24 * 3_600_000;

export interface ReadingPeriod {
  /** Whole days before today, and from today on. */
  daysBack: number;
  daysAhead: number;
  /** Days of one request. */
  sliceDays: number;
  /** Offset of the service's zone in minutes (G18). */
  zoneOffsetMinutes: number;
}

/** A slice with the dates of its first and last day, as GET /schedule takes them (G18). */
export interface DatedSlice extends Slice {
  startDate: string;
  endDate: string;
}

/** F40: the window around `now` in slices of whole days of the service's zone, none beyond the window. */
export function slicesOf(now: Instant, settings: ReadingPeriod): DatedSlice[] {
  const { daysBack, daysAhead, sliceDays, zoneOffsetMinutes } = settings;
  const offset = zoneOffsetMinutes * 60_000;
  const today = Math.floor((now + offset) / day);
  const slices: DatedSlice[] = [];
  for (let first = today - daysBack; first <= today + daysAhead; first += sliceDays) {
    const last = Math.min(first + sliceDays - 1, today + daysAhead);
    slices.push({
      from: first * day - offset,
      to: (last + 1) * day - offset,
      startDate: dateOf(first),
      endDate: dateOf(last),
    });
  }
  return slices;
}

function dateOf(dayNumber: number): string {
  return new Date(dayNumber * day).toISOString().slice(0, 10);
}
