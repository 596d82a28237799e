import type { ScheduleEntry } from '../reservation/types.js';
import type { Period } from '../shared/time.js';
import { type BelievedReservation, groupBy, overlaps } from './world.js';

/** A reservation whose car and period are known. */
export interface Known extends BelievedReservation {
  carId: number;
  period: Period;
}

export interface Matches {
  /** The entry of each reservation that has one, by its id. */
  entryOf: Map<number, ScheduleEntry>;
  /** Entries that are no reservation's. */
  strangers: ScheduleEntry[];
  /** Open reservations without an entry. */
  alone: Known[];
}

/**
 * Matches entries with reservations (F43): an entry does not name its reservation, so car and period decide, and where they
 * were changed, the entry's id as it was known before. In this order, each entry and each reservation once: the same car
 * and period; the id known before; an ended reservation's shortened entry (G39); the same car and an overlapping
 * period; the same period of another car, where only one of each is left, of a company whose entries are shown (G27).
 *
 * @param mayBeHidden whether the reservation's own entry may be one that could not be read: then no other car's is its own
 */
export function match(
  entries: readonly ScheduleEntry[],
  reservations: readonly BelievedReservation[],
  mayBeHidden: (one: Known) => boolean,
): Matches {
  const matching = new Matching(entries, reservations, mayBeHidden);
  matching.bySameCarAndPeriod();
  matching.byId();
  matching.byReleasedPeriod();
  matching.byOverlap();
  matching.bySamePeriod();
  return matching.result();
}

class Matching {
  private readonly entryOf = new Map<number, ScheduleEntry>();
  private readonly free: Map<number, ScheduleEntry>;
  private readonly known: Known[];

  constructor(
    entries: readonly ScheduleEntry[],
    private readonly all: readonly BelievedReservation[],
    private readonly mayBeHidden: (one: Known) => boolean,
  ) {
    this.free = new Map(entries.map((entry) => [entry.scheduleId, entry]));
    this.known = all.filter((one): one is Known => one.carId !== null && one.period !== null);
  }

  /** Two that believe the same: the entry's known owner, then the open one, then the newer one. */
  bySameCarAndPeriod(): void {
    const byPlace = groupBy(this.known, ({ carId, period }) => placeOf(carId, period));
    for (const entry of [...this.free.values()]) {
      const rivals = byPlace.get(placeOf(entry.carId, entry)) ?? [];
      const [owner] = rivals
        .filter((one) => this.isOpen(one))
        .sort(
          (a, b) =>
            Number(b.scheduleId === entry.scheduleId) - Number(a.scheduleId === entry.scheduleId) ||
            Number(a.ended) - Number(b.ended) ||
            Number(a.scheduleId !== null) - Number(b.scheduleId !== null) ||
            b.reservationId - a.reservationId,
        );
      if (owner !== undefined) this.pair(owner, entry);
    }
  }

  byId(): void {
    for (const one of this.all) {
      const entry = one.scheduleId === null ? undefined : this.free.get(one.scheduleId);
      if (entry !== undefined && this.isOpen(one)) this.pair(one, entry);
    }
  }

  byReleasedPeriod(): void {
    const ended = groupBy(
      this.known.filter((one) => one.ended && this.isOpen(one)),
      ({ carId, period }) => `${carId} ${period.start}`,
    );
    for (const entry of [...this.free.values()]) {
      const owner = ended
        .get(`${entry.carId} ${entry.start}`)
        ?.find((one) => this.isOpen(one) && entry.end <= one.period.end);
      if (owner !== undefined) this.pair(owner, entry);
    }
  }

  /** The longest common time first. */
  byOverlap(): void {
    const open = groupBy(this.left(), ({ carId }) => carId);
    const pairs = [...this.free.values()].flatMap((entry) =>
      (open.get(entry.carId) ?? [])
        .filter(({ period }) => overlaps(period, entry))
        .map((one) => ({ one, entry, common: commonTime(one.period, entry) })),
    );
    pairs.sort(
      (a, b) =>
        b.common - a.common ||
        a.entry.scheduleId - b.entry.scheduleId ||
        a.one.reservationId - b.one.reservationId,
    );
    for (const { one, entry } of pairs) {
      if (this.isOpen(one) && this.free.has(entry.scheduleId)) this.pair(one, entry);
    }
  }

  bySamePeriod(): void {
    const shown = this.shownCompanies();
    const lonely = groupBy(
      this.left().filter(({ companyId }) => shown.has(companyId)),
      ({ period }) => placeOf(0, period),
    );
    const entries = groupBy([...this.free.values()], (entry) => placeOf(0, entry));
    for (const [period, [one, ...others]] of lonely) {
      const [entry, ...rest] = entries.get(period) ?? [];
      const isAlone = others.length + rest.length === 0;
      if (one !== undefined && entry !== undefined && isAlone && !this.mayBeHidden(one))
        this.pair(one, entry);
    }
  }

  result(): Matches {
    return { entryOf: this.entryOf, strangers: [...this.free.values()], alone: this.left() };
  }

  /** Where there is only one, that one; else those of which an entry is known. */
  private shownCompanies(): Set<number | null> {
    const companiesOf = (some: Known[]) => new Set(some.map(({ companyId }) => companyId));
    const all = companiesOf(this.known);
    return all.size > 1 ? companiesOf(this.known.filter((one) => !this.isOpen(one))) : all;
  }
  private left(): Known[] {
    return this.known.filter((one) => !one.ended && this.isOpen(one));
  }
  private isOpen({ reservationId }: BelievedReservation): boolean {
    return !this.entryOf.has(reservationId);
  }
  private pair({ reservationId }: BelievedReservation, entry: ScheduleEntry): void {
    this.entryOf.set(reservationId, entry);
    this.free.delete(entry.scheduleId);
  }
}

function placeOf(carId: number, { start, end }: Period): string {
  return `${carId} ${start} ${end}`;
}
function commonTime(a: Period, b: Period): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}
