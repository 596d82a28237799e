import type { ScheduleEntry } from '../reservation/types.js';
import type { Instant, Period } from '../shared/time.js';
import type { Check, Comparison } from './compare.js';
import { isIn, type Slice } from './world.js';

export const findingKinds = ['undiscovered', 'missing-there', 'period-differs', 'car-differs'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Something that the schedule and the reservations do not agree on, as it was last read. */
interface Seen extends Period {
  kind: FindingKind;
  /** Null: there is no entry. */
  scheduleId: number | null;
  /** The entry's car and period; the believed ones where there is no entry. */
  carId: number;
  /** Null: it is no reservation's here. */
  reservationId: number | null;
}

/** One that is not over. `reads`: in how many readings in a row it was seen. */
export interface OpenFinding extends Seen {
  id: number;
  reads: number;
  /** When the newest of them began. */
  lastSeenAt: Instant;
}

export interface Review {
  /** Seen for the first time. */
  fresh: Seen[];
  /** Seen again: with what was read now, and how often. */
  again: OpenFinding[];
  /** Over: the two agree, or what it was about is gone. */
  gone: number[];
}

/** F46: it counts from the second reading on. */
export const countsFromReads = 2;

/**
 * What a reading makes of the findings before it (F45, F46). What a reading without a known entry did not show stays as
 * it was, and so does an absence that it seemed to show. The same reading again counts once.
 */
export function review(
  before: readonly OpenFinding[],
  { checks, undiscovered, discovered, isControlled }: Comparison,
  { at, slices }: { at: Instant; slices: readonly Slice[] },
): Review {
  const seen = new Map([...undiscovered.map(stranger), ...checks.flatMap(difference)].map(withKey));
  const doubtful = new Set<number | null>(
    checks.filter(isUncontrolled).map(({ reservationId }) => reservationId),
  );
  const stays = (one: OpenFinding) =>
    one.kind === 'undiscovered'
      ? !discovered.has(one.scheduleId) && !isControlled(one) && slices.some((slice) => isIn(slice, one))
      : one.kind === 'missing-there' && doubtful.has(one.reservationId);
  const result: Review = { fresh: [], again: [], gone: [] };
  for (const one of before) {
    const key = keyOf(one);
    const now = seen.get(key);
    if (now === undefined) {
      if (!stays(one)) result.gone.push(one.id);
      continue;
    }
    seen.delete(key);
    const reads = one.lastSeenAt < at ? one.reads + 1 : one.reads;
    result.again.push({ ...now, id: one.id, reads: isSameReading(one, now) ? reads : 1, lastSeenAt: at });
  }
  result.fresh.push(...seen.values());
  return result;
}

function stranger(entry: ScheduleEntry): Seen {
  return { ...entry, kind: 'undiscovered', reservationId: null };
}

function difference(check: Check): Seen[] {
  const { reservationId, believed } = check;
  if (check.kind === 'agrees') return [];
  if (check.kind !== 'missing-there') return [{ ...check.entry, kind: check.kind, reservationId }];
  if (!check.controlled || believed === null) return [];
  return [{ kind: check.kind, scheduleId: null, carId: believed.carId, ...believed.period, reservationId }];
}

function isUncontrolled(check: Check): boolean {
  return check.kind === 'missing-there' && !check.controlled;
}

function withKey(seen: Seen): [string, Seen] {
  return [keyOf(seen), seen];
}
/** What a finding is about: an entry, or a reservation and how it differs. */
function keyOf({ kind, scheduleId, reservationId }: Seen): string {
  return kind === 'undiscovered' ? `entry ${scheduleId}` : `${kind} ${reservationId}`;
}
/** An undiscovered entry may move; a difference that is another now was seen once. */
function isSameReading(a: Seen, b: Seen): boolean {
  if (a.kind === 'undiscovered') return true;
  return a.scheduleId === b.scheduleId && a.carId === b.carId && a.start === b.start && a.end === b.end;
}
