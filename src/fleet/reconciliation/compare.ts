import type { Instant, ScheduleEntry } from '../../lifecycle/types.js';
import { type Known, match } from './match.js';
import { type BelievedReservation, groupBy, isIn, type SliceRead } from './world.js';

const candidatesTold = 8;

/** What the schedule shows of one open reservation. */
export type Check = { reservationId: number; believed: Known | null } & (
  | { kind: 'agrees' | 'period-differs' | 'car-differs'; entry: ScheduleEntry }
  /** `controlled`: a reading that had to show its entry showed another reservation's. */
  | { kind: 'missing-there'; controlled: boolean; candidates: ScheduleEntry[] }
);

export interface Comparison {
  /** Of every open reservation that the window can tell of. */
  checks: Check[];
  /** Entries of no reservation here. */
  undiscovered: ScheduleEntry[];
  /** Entries that belong to a reservation here, open or ended. */
  discovered: ReadonlySet<number>;
  /** Whether a reading of that time showed an entry that is known here: then what it did not show is not there. */
  isControlled(period: { start: Instant; end: Instant }): boolean;
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
  const { entryOf, strangers, alone } = match([...entries.values()], reservations);
  const discovered = new Set([...entryOf.values()].map(({ scheduleId }) => scheduleId));
  const good = reads.filter((read) => read.entries.some(({ scheduleId }) => discovered.has(scheduleId)));
  const isControlled: Comparison['isControlled'] = (period) => good.some((read) => isIn(read, period));
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
        controlled: isControlled(one.period),
        candidates: nearest(ofCar.get(one.carId) ?? [], one.period.start),
      }),
    );
  return { checks: [...found, ...missing], undiscovered: strangers, discovered, isControlled };
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
  return entries.toSorted((a, b) => distance(a) - distance(b)).slice(0, candidatesTold);
}
