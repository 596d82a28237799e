import { type Instant, stamp } from '../../shared/time.js';
import type { Belief } from '../belief.js';
import { nextAtRisk } from '../next-at-risk.js';
import type { ReservationState } from '../state.js';
import type { CarEntry, CarFact } from '../types.js';

export function lookAheadText(carId: number, next: CarEntry | null, zoneOffsetMinutes: number): string {
  return next === null
    ? `Nothing follows in the schedule of car ${carId} for a week.`
    : `Next in the schedule of car ${carId}: ${entryText(next, zoneOffsetMinutes)}.`;
}
export function lookAheadFailedText(carId: number, code: string): string {
  return `What follows in the schedule of car ${carId} could not be read (${code}); it is retried.`;
}

/** `a reservation (R 77), 2026-… to 2026-…`. */
function entryText(entry: CarEntry, zoneOffsetMinutes: number): string {
  const { type, scheduleId, start, end, reservationId } = entry;
  const whose = reservationId === undefined ? 'a reservation' : `reservation ${reservationId}`;
  const what = type === 'R' ? whose : 'an external entry';
  return `${what} (${type} ${scheduleId}), ${stamp(start, zoneOffsetMinutes)} to ${stamp(end, zoneOffsetMinutes)}`;
}

/** How long there was when the schedule was read: a text is read later than it was written. */
function timeLeft(start: Instant, at: Instant, zoneOffsetMinutes: number): string {
  const moment = stamp(at, zoneOffsetMinutes);
  if (start <= at) return `it had begun at ${moment}`;
  const minutes = Math.floor((start - at) / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours} h ` : ''}${minutes % 60} min were left at ${moment}`;
}

function candidatesText(candidates: readonly CarFact[] | null): string {
  if (candidates === null) return 'Which other cars are free is not known.';
  if (candidates.length === 0) return 'No other car of the product is free and on sale then.';
  const cars = candidates.map(({ id, number }) => (number === null ? `${id}` : `${id} (${number})`));
  return `Free and on sale then: ${cars.join(', ')}.`;
}

/** For the person who works with the late reservation. */
export function nextAtRiskText(what: Belief, state: ReservationState): string {
  const atRisk = nextAtRisk(state, what);
  if (atRisk === null) return 'The car is needed next, and it may not be back in time. Call the customer.';
  const { next, candidates, at: seenAt } = atRisk;
  const { zoneOffsetMinutes } = state.policy;
  const left = timeLeft(next.start, seenAt, zoneOffsetMinutes);
  const why = atRisk.isLate ? 'the car is not back' : 'the period was extended';
  const follows = `${why}, and ${entryText(next, zoneOffsetMinutes)} follows; ${left}. ${candidatesText(candidates)}`;
  return next.type === 'R'
    ? `The next reservation is at risk: ${follows} Call the customer, or give the next reservation another car.`
    : `The car is needed next: ${follows} Call the customer, or move the entry to another time or car.`;
}

/** For operations: ids alone. */
export function nextAtRiskAlert(what: Belief, state: ReservationState): string {
  const atRisk = nextAtRisk(state, what);
  if (atRisk === null) return 'the next entry of its car is at risk';
  const { next, candidates, at: seenAt } = atRisk;
  const { zoneOffsetMinutes } = state.policy;
  const cars = candidates?.map(({ id }) => id).join(', ');
  return `car ${atRisk.carId} ${atRisk.isLate ? 'is not back for' : 'was extended over'} ${entryText(next, zoneOffsetMinutes)}; ${timeLeft(next.start, seenAt, zoneOffsetMinutes)}; candidate cars: ${cars === undefined ? 'not known' : cars || 'none'}`;
}
