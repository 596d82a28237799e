import type { ScheduleEntry } from '../reservation/types.js';
import type { Instant, Period } from '../shared/time.js';

/** What a reservation here believes, as lists and case files have it. */
export interface BelievedReservation {
  reservationId: number;
  /** Null: not known; then nothing can be compared. */
  carId: number | null;
  period: Period | null;
  /** Whose car it is; null: not known. A supplier's key sees one company's schedule alone (G27). */
  companyId: number | null;
  /** At a terminal status: the platform releases its entry (G39). */
  ended: boolean;
  /** The entry that was last found to be its own. */
  scheduleId: number | null;
}

/** One GET /schedule: whole days of the service's zone, [from, to). */
export interface Slice {
  from: Instant;
  to: Instant;
}

/** Cars of which an entry could not be read; `any`: of which cars is not known, or they are too many to name. */
export type UnreadOf = 'any' | number[];

/** A slice with the R entries that were read in it. */
export interface SliceRead extends Slice {
  entries: readonly ScheduleEntry[];
  /** Absent: every entry could be read. */
  unread?: UnreadOf | undefined;
}

/** Whether a read of that time had an entry that could not be read, and that may be of the car. */
export function hidesSome(reads: readonly SliceRead[], carId: number, period: Period): boolean {
  return reads.some(
    (read) =>
      read.unread !== undefined &&
      isIn(read, period) &&
      (read.unread === 'any' || read.unread.includes(carId)),
  );
}

export function overlaps(a: Period, b: Period): boolean {
  return a.start < b.end && b.start < a.end;
}

export function isIn({ from, to }: Slice, period: Period): boolean {
  return overlaps({ start: from, end: to }, period);
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
