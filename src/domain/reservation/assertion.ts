import type { Instant, Period } from '../shared/time.js';
import { reconcile, recordPeriodEnd } from './attention.js';
import { type Belief, belief } from './belief.js';
import { carIdentity, currentCar } from './car.js';
import { storeDecision } from './decisions.js';
import { current, overrule } from './facts.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import { noteExtension } from './next-at-risk.js';
import * as refusals from './refusals.js';
import type { Facts, ReservationState } from './state.js';
import { presentStatus, witness } from './status-evidence.js';
import { isKnownStatus, leadsTo, rank, registrationRung } from './statuses.js';
import { addEntry, follow, type NewEntry, type Step } from './timeline.js';
import type { Refusal } from './types.js';

/** What a manager knows better than the evidence: adopts a reservation, settles `conflict` and `ambiguous`. */
export interface Assertion {
  status?: number;
  carId?: number;
  startAt?: Instant;
  endAt?: Instant;
  reason: string;
  by: string;
}

/** Why an assertion is refused; null where it is allowed. */
export function checkAssert(
  state: ReservationState,
  { status, carId, startAt, endAt }: Assertion,
): Refusal | null {
  const isEmpty = [status, carId, startAt, endAt].every((part) => part === undefined);
  if (isEmpty || (status !== undefined && !isKnownStatus(status))) return refusals.nothingAsserted();
  const isHalf = (startAt === undefined) !== (endAt === undefined);
  if (isHalf && state.facts.period === null) return refusals.periodIncomplete();
  const period = isHalf || startAt !== undefined ? assertedPeriod(state, { startAt, endAt }) : null;
  return period !== null && period.end <= period.start ? refusals.periodReversed() : null;
}

/**
 * Applies a person's assertion, which `checkAssert` has allowed. It decides about the present evidence; later evidence
 * counts again. The reason is stored in the state, not in the timeline (L60).
 */
export function assertFacts(state: ReservationState, assertion: Assertion, now: Instant): Step {
  const { status, carId, startAt, endAt, reason, by } = assertion;
  const before = belief(state);
  const ended = recordPeriodEnd(state, now, before);
  const withDecision = storeDecision(ended.state, { at: now, by, about: 'facts', reason });
  const arrived = { ...withDecision, arrivals: state.arrivals + 1 };
  const withAssertion = assertPeriod(
    assertCar(assertStatus(arrived, assertion, now), assertion, now),
    assertion,
    now,
  );
  const after = belief(withAssertion);
  const next = noteExtension(withAssertion, before, after);
  const entry: NewEntry = {
    kind: 'decision',
    rule: ruleOf(before),
    messages: [message('asserted', { by, facts: changesOf(assertion, before) })],
    data: {
      by,
      ...(status !== undefined && { status }),
      ...(carId !== undefined && { carId }),
      ...(startAt !== undefined && { startAt }),
      ...(endAt !== undefined && { endAt }),
    },
  };
  const recorded = addEntry({ ...ended, state: next }, now, movedEntry(entry, state, before, after, now));
  return follow(recorded, (s) => reconcile(s, now, after));
}

/** What an assertion resolves: an unannounced reservation, contradicting statuses, contradicting values. */
function ruleOf({ status }: Belief): string {
  if (status.code === null) return 'L05';
  return status.conflicts.length + status.contradictions.length > 0 ? 'L10' : 'L13';
}

/** Each asserted fact with the value it had and the one it has now. */
function changesOf({ status, carId, startAt, endAt }: Assertion, { status: { code }, facts }: Belief) {
  const { start, end } = facts.period?.value ?? {};
  const changes = [
    { name: 'status', from: code, to: status },
    { name: 'car', from: facts.car?.value.id, to: carId },
    { name: 'start', from: start, to: startAt },
    { name: 'end', from: end, to: endAt },
  ] as const;
  return changes.flatMap(({ name, from, to }) =>
    to === undefined ? [] : [{ name, from: from ?? null, to }],
  );
}

/** Retains the evidence that leads to the asserted status and sets the rest aside; facts reported at a later status count at it. */
function assertStatus(state: ReservationState, { status, by }: Assertion, now: Instant): ReservationState {
  if (status === undefined) return state;
  const from = state.policy.fromStates;
  const statuses = state.statuses.filter(({ code }) => code === status || leadsTo(from, code, status));
  const setAside = state.statuses.filter((one) => !statuses.includes(one)).map(({ code }) => code);
  const overruled = [...state.overruled, ...setAside.map((code) => ({ code, at: now }))];
  const facts = Object.fromEntries(
    Object.entries(state.facts).map(([name, fact]) =>
      fact !== null && rank(fact.rung) > rank(status) ? [name, { ...fact, rung: status }] : [name, fact],
    ),
  ) as unknown as Facts;
  return witness({ ...state, statuses, overruled, facts, unknownStatuses: [] }, status, 'asserted', {
    source: by,
    at: now,
    changedAt: null,
  });
}

function assertedFact<T>(state: ReservationState, by: string, now: Instant, value: T) {
  return { value, grade: 'asserted' as const, source: by, at: now, changedAt: null, arrival: state.arrivals };
}

/** A person's assertion stands at the present rung, or at the fact's own where that is later. */
function rungFor(state: ReservationState, fact: { rung: number } | null): number {
  const present = presentStatus(state) ?? registrationRung;
  return fact !== null && rank(fact.rung) > rank(present) ? fact.rung : present;
}

function assertCar(state: ReservationState, { carId, by }: Assertion, now: Instant): ReservationState {
  if (carId === undefined) return state;
  const believed = currentCar(state)?.value;
  const car = { id: carId, number: believed?.id === carId ? believed.number : null };
  const made = assertedFact(state, by, now, car);
  const fact = overrule(state.facts.car, rungFor(state, state.facts.car), made, carIdentity(car));
  return { ...state, carChanges: [], facts: { ...state.facts, car: fact } };
}

function assertPeriod(
  state: ReservationState,
  { startAt, endAt, by }: Assertion,
  now: Instant,
): ReservationState {
  const asserted = assertedPeriod(state, { startAt, endAt });
  if ((startAt === undefined && endAt === undefined) || asserted === null) return state;
  const made = assertedFact(state, by, now, asserted);
  const period = overrule(state.facts.period, rungFor(state, state.facts.period), made);
  return { ...state, facts: { ...state.facts, period } };
}

/** The asserted part of the period, completed by what is believed; null where one end stays unknown. */
function assertedPeriod(
  state: ReservationState,
  { startAt, endAt }: { startAt: Instant | undefined; endAt: Instant | undefined },
): Period | null {
  const known = current(state.facts.period)?.value;
  const start = startAt ?? known?.start;
  const end = endAt ?? known?.end;
  return start === undefined || end === undefined ? null : { start, end };
}
