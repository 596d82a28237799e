import type { ScheduleEntry } from '../reservation/types.js';
import type { Instant } from '../shared/time.js';
import { type Known, match } from './match.js';
import { type BelievedReservation, groupBy, hidesSome, isIn, type SliceRead } from './world.js';

const mostCandidates = 8;

/** What the schedule shows of one open reservation. */
export type Check = { reservationId: number; believed: Known | null } & (
  | { kind: 'agrees' | 'period-differs' | 'car-differs'; entry: ScheduleEntry }
  /** `controlled`: a reading that had to show its entry showed that of another reservation of its company, and all of its car. */
  | { kind: 'missing-there'; controlled: boolean; candidates: ScheduleEntry[] }
);

export interface Comparison {
  /** Every open reservation that the period read can show. */
  checks: Check[];
  /** Entries of no reservation here. */
  undiscovered: ScheduleEntry[];
  /** Entries that belong to a reservation here, open or ended. */
  discovered: ReadonlySet<number | null>;
  /**
   * Whether a reading of that time showed an entry that is known here: then what it did not show is not there. Not so
   * where an entry of the car could not be read.
   */
  isControlled(entry: { carId: number; start: Instant; end: Instant }): boolean;
}

/**
 * Compares what was read of the schedule with what the reservations here believe (F41-F45). An entry that several slices
 * show counts once.
 */
export function compare(
  reads: readonly SliceRead[],
  reservations: readonly BelievedReservation[],
): Comparison {
  const entries = new Map(reads.flatMap((read) => read.entries.map((entry) => [entry.scheduleId, entry])));
  const mayBeHidden = ({ carId, period }: Known) => hidesSome(reads, carId, period);
  const { entryOf, strangers, alone } = match([...entries.values()], reservations, mayBeHidden);
  const discovered = new Set<number | null>([...entryOf.values()].map(({ scheduleId }) => scheduleId));
  const companies = companiesShown(reads, reservations, entryOf);
  const isControlled: Comparison['isControlled'] = (entry) =>
    !hidesSome(reads, entry.carId, entry) &&
    reads.some((read, index) => isIn(read, entry) && companies[index]?.size);
  const isShown = (one: Known) =>
    !mayBeHidden(one) &&
    reads.some((read, index) => isIn(read, one.period) && companies[index]?.has(one.companyId));
  const ofCar = groupBy(strangers, ({ carId }) => carId);
  const found = reservations.flatMap((one): Check[] => {
    const entry = entryOf.get(one.reservationId);
    return entry === undefined || one.ended ? [] : [checkOf(one, entry)];
  });
  const missing = alone
    .filter(({ period }) => reads.some((read) => isIn(read, period)))
    .map(
      (one): Check => ({
        reservationId: one.reservationId,
        believed: one,
        kind: 'missing-there',
        controlled: isShown(one),
        candidates: nearest(ofCar.get(one.carId) ?? [], one.period.start),
      }),
    );
  return { checks: [...found, ...missing], undiscovered: strangers, discovered, isControlled };
}

/** Of each reading: the companies of which it showed an entry that is known here. */
function companiesShown(
  reads: readonly SliceRead[],
  reservations: readonly BelievedReservation[],
  entryOf: ReadonlyMap<number, ScheduleEntry>,
): Set<number | null>[] {
  const companyOf = new Map<number, number | null>();
  for (const { reservationId, companyId } of reservations) {
    const entry = entryOf.get(reservationId);
    if (entry !== undefined) companyOf.set(entry.scheduleId, companyId);
  }
  return reads.map(({ entries }) => {
    const shown = new Set<number | null>();
    for (const { scheduleId } of entries) {
      const companyId = companyOf.get(scheduleId);
      if (companyId !== undefined) shown.add(companyId);
    }
    return shown;
  });
}

function checkOf(one: BelievedReservation, entry: ScheduleEntry): Check {
  const { reservationId, carId, period } = one;
  const believed = carId === null || period === null ? null : { ...one, carId, period };
  return { reservationId, believed, kind: kindOf(one, entry), entry };
}

/** What is not known here does not differ. */
function kindOf({ carId, period }: BelievedReservation, entry: ScheduleEntry) {
  if (carId !== null && carId !== entry.carId) return 'car-differs';
  const isSame = period === null || (period.start === entry.start && period.end === entry.end);
  return isSame ? 'agrees' : 'period-differs';
}

function nearest(entries: readonly ScheduleEntry[], start: Instant): ScheduleEntry[] {
  const distance = (entry: ScheduleEntry) => Math.abs(entry.start - start);
  return entries.toSorted((a, b) => distance(a) - distance(b)).slice(0, mostCandidates);
}
