import { day, type Instant, type Period } from '../shared/time.js';
import type { FreePeriods, Obstacle, ScheduleEntry } from './types.js';

const horizonMs = 30 * day;
const ownReason = /\[hold ([^\]\s]+)\]$/;

/** What the entry of a hold says on the platform: the reason, and whose it is. */
export function entryReason(reason: string, holdId: string): string {
  return `${reason} [hold ${holdId}]`;
}

/** The hold that an entry's reason names; null: none. */
export function holdNamed(reason: string): string | null {
  return ownReason.exec(reason)?.[1] ?? null;
}

function overlap(one: Period, other: Period): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Where to read the car's schedule to find what blocks a period, and what is free near it. */
export function rangeAround({ start, end }: Period, now: Instant): Period {
  const reach = horizonMs + (end - start);
  return { start: Math.min(Math.max(now, start - reach), start), end: end + reach };
}

/** F08: the entries that overlap the period. */
export function obstacles(entries: readonly ScheduleEntry[], period: Period): Obstacle[] {
  return entries
    .filter((entry) => overlap(entry, period))
    .sort((one, other) => one.start - other.start)
    .map(({ scheduleId, type, start, end, reason }) => {
      return { scheduleId, type, start, end, holdId: holdNamed(reason) };
    });
}

/**
 * F08: the nearest windows of the period's length that no entry overlaps, before and after it; not in the past, and
 * within 30 days. @param entries of the car in `rangeAround(period, now)`
 */
export function freePeriods(entries: readonly ScheduleEntry[], period: Period, now: Instant): FreePeriods {
  const length = period.end - period.start;
  const range = rangeAround(period, now);
  const busy = [...entries].sort((one, other) => one.start - other.start);
  let { start } = period;
  for (const entry of busy) if (overlap(entry, { start, end: start + length })) start = entry.end;
  let { end } = period;
  for (const entry of busy.toReversed()) {
    if (overlap(entry, { start: end - length, end })) end = entry.start;
  }
  return {
    before: end - length < Math.max(now, range.start) ? null : { start: end - length, end },
    after: start + length > range.end ? null : { start, end: start + length },
  };
}
