import { day, type Instant } from '../shared/time.js';
import { type Belief, isOut } from './belief.js';
import { lateSteps } from './lateness.js';
import type { Seen } from './look-ahead-record.js';
import type { ReservationState } from './state.js';
import type { CarEntry, CarFact } from './types.js';

/** Of a run whose policy is older than looking ahead. */
const usualLeadMs = day;

/** The customer has the car, and may not bring it back in time for the next reservation. */
export interface Exposure {
  car: CarFact;
  start: Instant;
  end: Instant;
  isLate: boolean;
  /** Steps of the ladder of L43 so far. */
  steps: number;
}

/**
 * F60: a return that is late, or an end that was moved later while the customer had the car. Only a supplier can read
 * schedules.
 */
export function exposureOf(state: ReservationState, what: Belief): Exposure | null {
  const { status, facts } = what;
  const car = facts.car?.value;
  const period = facts.period?.value;
  const isOver = status.terminal || '30' in status.reached;
  if (car === undefined || period === undefined || isOver || !state.policy.roles.includes('supplier'))
    return null;
  const steps = lateSteps(state, what).filter(({ at }) => at <= state.lookedAt).length;
  if (steps === 0 && state.extendedTo !== period.end) return null;
  return { car, ...period, isLate: steps > 0, steps };
}

/** The next entry of the car that the reservation endangers, and since when (F61); null where there is none. */
export function nextAtRisk(
  state: ReservationState,
  what: Belief,
): (Seen & { next: CarEntry; since: Instant; isLate: boolean }) | null {
  const seen = state.lookedAhead?.seen;
  const exposure = seen?.next ? exposureOf(state, what) : null;
  if (!seen?.next || exposure === null || seen.carId !== exposure.car.id) return null;
  const { next } = seen;
  const { dangerLeadMs = usualLeadMs } = state.policy;
  const { isLate } = exposure;
  if (next.start < exposure.end) return { ...seen, next, isLate, since: seen.at };
  return isLate ? { ...seen, next, isLate, since: Math.max(seen.at, next.start - dangerLeadMs) } : null;
}

/** The entry that comes after the reservation's own: the platform ties no entry to a reservation. */
export function nextEntry(
  entries: readonly CarEntry[],
  own: { start: Instant },
  now: Instant,
): CarEntry | null {
  const coming = entries.filter(({ start, end }) => start > own.start && end > now);
  return coming.toSorted((a, b) => a.start - b.start)[0] ?? null;
}

/** An end moved later while the car is with the customer, or ready for them, may run over the next entry. */
export function noteExtension(state: ReservationState, before: Belief, after: Belief): ReservationState {
  const was = before.facts.period?.value.end;
  const is = after.facts.period?.value.end;
  if (was === undefined || is === undefined || is <= was) return state;
  return isOut(after) || after.status.code === 15 ? { ...state, extendedTo: is } : state;
}
