import { day, type Instant, type Period } from '../shared/time.js';
import { currentCar } from './car.js';
import { type Current, current, type Fact } from './facts.js';
import type { Facts, ReservationState } from './state.js';
import { type StatusBelief, statusBelief } from './status-evidence.js';

type ValueOf<F> = F extends Fact<infer V> ? V : never;
type BelievedFacts = { [K in keyof Facts]: Current<ValueOf<NonNullable<Facts[K]>>> | null };

/** Everything that is believed of a reservation, derived from the evidence alone. */
export interface Belief {
  status: StatusBelief;
  facts: BelievedFacts;
  marks: string[];
}

const longRentalMs = 31 * day;

export function belief(state: ReservationState): Belief {
  const status = statusBelief(state);
  const facts = believedFacts(state);
  return { status, facts, marks: marksOf(state, status, facts) };
}

function believedFacts(state: ReservationState): BelievedFacts {
  const plain = Object.fromEntries(
    Object.entries(state.facts).map(([name, fact]) => [name, current(fact as Fact<unknown> | null)]),
  ) as unknown as BelievedFacts;
  return { ...plain, car: currentCar(state) };
}

/** L06, L08-L11, L13, L17, L61: what a reader must know before trusting the rest. */
function marksOf(state: ReservationState, status: StatusBelief, facts: BelievedFacts): string[] {
  const ambiguous = Object.entries(facts)
    .filter(([, fact]) => fact !== null && fact.ambiguousSince !== null)
    .map(([name]) => `ambiguous:${name}`);
  const marks = [
    ...(state.registered || state.arrivals === 0 ? [] : ['adopted']),
    ...(state.specViolatedAt === null ? [] : ['spec-violation']),
    ...(isOdd(facts) ? ['odd-period'] : []),
    ...(status.contradictions.length > 0 ? ['terminal-contradiction'] : []),
    ...(status.conflicts.length > 0 ? ['conflict'] : []),
    ...state.unknownStatuses.map(({ code }) => `unknown-status:${code}`),
    ...state.malformed.map((field) => `malformed:${field}`),
    ...ambiguous,
  ];
  return marks.sort();
}

/** L17: a period that cannot be, or a very long one. */
function isOdd(facts: BelievedFacts): boolean {
  if (facts.period === null) return false;
  const { start, end } = facts.period.value;
  return isImpossible(facts.period.value, facts.createdAt?.value ?? null) || end - start > longRentalMs;
}

/** L17: end before start, or a start before the reservation was made. */
export function isImpossible({ start, end }: Period, createdAt: Instant | null): boolean {
  return end <= start || (createdAt !== null && start < createdAt);
}

/** Signs that the customer has the car: a status from 20 on, or a driving start (L16). */
export function isUsed({ status, facts }: Belief): boolean {
  return ['20', '25', '30', '35'].some((code) => code in status.reached) || facts.drivingStart !== null;
}

/** In use and not returned yet (20, 25, or a driving start before them). */
export function isOut(what: Belief): boolean {
  return isUsed(what) && !what.status.terminal && !('30' in what.status.reached);
}

/** L13: names of the facts whose newest value is not known. */
export function ambiguousFacts({ facts }: Belief): string[] {
  return Object.entries(facts).flatMap(([name, fact]) => (fact?.ambiguousSince ? [name] : []));
}

/** L05: what a reservation cannot be handled without. */
export function missingFacts({ status, facts }: Belief): string[] {
  const unknown = { status: status.code === null, period: facts.period === null, car: facts.car === null };
  return Object.entries(unknown).flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

/** Whether an event changed nothing that is believed; receipt times and sources are no part of it. */
export function isSameBelief(a: Belief, b: Belief): boolean {
  const names = Object.keys(a.facts) as (keyof Facts)[];
  return (
    a.status.code === b.status.code &&
    isSame(a.status.reached, b.status.reached) &&
    isSame(a.marks, b.marks) &&
    names.every((name) => isSameFact(a.facts[name], b.facts[name]))
  );
}

function isSameFact(a: Current<unknown> | null, b: Current<unknown> | null): boolean {
  if (a === null || b === null) return a === b;
  return a.grade === b.grade && a.changes === b.changes && isSame(a.value, b.value);
}

/** Whether two JSON values say the same; what did not change is usually the same object. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
