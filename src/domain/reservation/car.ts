import { fingerprint } from '../shared/hash.js';
import type { Instant } from '../shared/time.js';
import {
  believe,
  type Claim,
  type Current,
  current,
  type Fact,
  latest,
  newestArrival,
  undecided,
} from './facts.js';
import type { CarChange, ReservationState } from './state.js';
import type { CarFact } from './types.js';

/**
 * The assigned car. Updates report it at a rung; car events carry no status, but a chain of them (previous car to
 * new car) or their `changedAt` orders what one rung cannot (L13).
 */
export function currentCar(state: ReservationState): Current<CarFact> | null {
  const fact = state.facts.car;
  const changes = state.carChanges.filter((change) => !isOlderThanRung(state, change));
  const top = fact?.claims ?? [];
  const claimed = current(fact);
  const last = lastChange(changes);
  if (last === null) return withCountedChanges(state, claimed);

  const target = top.find((one) => one.value.id === last.to.id) ?? claimOf(last);
  const unexplained = top.filter((one) => !leadsTo(changes, one.value.id, last.to.id));
  if (unexplained.length > 0 && wasReportedEarlier(fact, target)) return withCountedChanges(state, claimed);
  const shown = fact?.shown;
  const rivals = undecided([...unexplained, target], shown);
  const chosen = newestArrival(rivals);
  const reported = { known: [], ...(shown !== undefined && { shown }) };
  return chosen === undefined ? null : withCountedChanges(state, believe(chosen, reported, rivals));
}

/** A change dated before the rung at which updates named the car does not affect the car since. */
function isOlderThanRung(state: ReservationState, change: CarChange): boolean {
  const rung = state.statuses.find((one) => one.code === state.facts.car?.rung);
  const reached = rung?.observed?.changedAt ?? null;
  return reached !== null && change.changedAt !== null && change.changedAt < reached;
}

/** Updates named this car at a lower rung only: the change lies before the newest rung. */
function wasReportedEarlier(fact: Fact<CarFact> | null, { key }: Claim<CarFact>): boolean {
  return fact?.known.includes(key) === true && !fact.claims.some((one) => one.key === key);
}

/** The last of the changes: by date where all have one, else the only end of the chain; null where unclear. */
function lastChange(changes: readonly CarChange[]): CarChange | null {
  const last = changes.reduce<Instant | null>((top, one) => latest(top, one.changedAt), null);
  const ends = changes.every((one) => one.changedAt !== null)
    ? changes.filter((one) => one.changedAt === last)
    : changes.filter((one) => !changes.some((other) => other.from === one.to.id));
  const cars = new Set(ends.map((one) => one.to.id));
  return cars.size === 1 ? (ends[0] ?? null) : null;
}

/** Whether the changes lead from one car to another. */
function leadsTo(changes: readonly CarChange[], from: number, to: number): boolean {
  const reached = new Set([from]);
  for (const _ of changes) {
    for (const change of changes) {
      if (change.from !== null && reached.has(change.from)) reached.add(change.to.id);
    }
  }
  return reached.has(to);
}

function claimOf(change: CarChange): Claim<CarFact> {
  const { to, source, at, changedAt, arrival } = change;
  return { value: to, key: carKey(to), grade: 'observed', source, at, changedAt, arrival, heardAt: at };
}

/** A car is identified by its id; its number is a label. */
export function carIdentity(car: CarFact): { car: number } {
  return { car: car.id };
}
function carKey(car: CarFact): string {
  return fingerprint(carIdentity(car));
}

/** Distinct cars known from updates and from car events, minus one. */
function withCountedChanges(state: ReservationState, car: Current<CarFact> | null): Current<CarFact> | null {
  if (car === null) return null;
  const events = state.carChanges.flatMap(({ from, to }) => [...(from === null ? [] : [from]), to.id]);
  const keys = new Set([...(state.facts.car?.known ?? []), ...events.map((id) => fingerprint({ car: id }))]);
  const number = car.value.number ?? numberOf(state.carChanges, state.facts.car, car.value.id);
  return { ...car, value: { id: car.value.id, number }, changes: keys.size - 1 };
}

function numberOf(changes: readonly CarChange[], fact: Fact<CarFact> | null, id: number): string | null {
  const cars = [...changes.map((one) => one.to), ...(fact?.claims ?? []).map((one) => one.value)];
  return cars.find((car) => car.id === id && car.number !== null)?.number ?? null;
}
