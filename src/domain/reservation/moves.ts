import type { Message } from '../shared/message.js';
import type { Instant, Period } from '../shared/time.js';
import { type Belief, isSame } from './belief.js';
import { expectedNext } from './expected.js';
import { message } from './messages/message.js';
import type { ReservationState } from './state.js';
import type { CarFact, TimelineEntry } from './types.js';

/** A change of what is believed, as a sentence and as data. */
interface Move {
  message: Message;
  data?: TimelineEntry['data'];
}

/**
 * What changed in what is believed of a reservation: the end of a timeline entry, so that its reader need not read codes.
 * Personal facts are named, never shown (L60).
 */
export function moves(
  state: ReservationState,
  before: Belief,
  after: Belief,
  now: Instant,
): { messages: Message[]; data: TimelineEntry['data'] } {
  if (before === after) return { messages: [], data: {} };
  const all = [
    statusMove(before, after),
    ...gradeMoves(before, after),
    carMove(before.facts.car?.value, after.facts.car?.value),
    periodMove(before.facts.period?.value, after.facts.period?.value),
    ...otherFacts(before, after),
    ...markMoves(before, after),
    expectationMove(expectedNext(state, before, now), expectedNext(state, after, now), now),
  ].filter((move) => move !== null);
  return {
    messages: all.map((move) => move.message),
    data: Object.assign({}, ...all.map(({ data }) => data)),
  };
}

function statusMove({ status: before }: Belief, { status: after }: Belief): Move | null {
  const { code } = after;
  if (code === null || before.code === code) return null;
  const inferred = Object.keys(after.reached).filter(
    (rung) => after.reached[rung] === 'inferred' && !(rung in before.reached) && rung !== `${code}`,
  );
  return { message: message('moved.status', { code, inferred }), data: { from: before.code, to: code } };
}

/** L03, L22: why a status or a fact is believed has changed, not what is believed. */
function gradeMoves(before: Belief, after: Belief): Move[] {
  const rungs = Object.entries(after.status.reached).flatMap(([code, is]) => {
    const was = before.status.reached[code];
    return was === undefined || was === is
      ? []
      : [{ message: message('moved.status-grade', { code, is, was }) }];
  });
  const facts = factNames(after).flatMap((fact) => {
    const was = before.facts[fact];
    const is = after.facts[fact];
    if (!was || !is || was.grade === is.grade || !isSame(was.value, is.value)) return [];
    return [{ message: message('moved.fact-grade', { fact, is: is.grade, was: was.grade }) }];
  });
  return [...rungs, ...facts];
}

function carMove(from: CarFact | undefined, to: CarFact | undefined): Move | null {
  if (to === undefined || from?.id === to.id) return null;
  const data = { ...(from !== undefined && { fromCar: from.id }), toCar: to.id };
  return { message: message('moved.car', { from: from ?? null, to }), data };
}

function periodMove(from: Period | undefined, to: Period | undefined): Move | null {
  if (to === undefined || isSame(from, to)) return null;
  const data = {
    ...(from !== undefined && { fromStart: from.start, fromEnd: from.end }),
    toStart: to.start,
    toEnd: to.end,
  };
  return { message: message('moved.period', { from: from ?? null, to }), data };
}

type FactName = keyof Belief['facts'];

/** The facts that are named only. */
function otherFacts(before: Belief, after: Belief): Move[] {
  const moved = factNames(after).filter(
    (name) =>
      name !== 'car' && name !== 'period' && !isSame(before.facts[name]?.value, after.facts[name]?.value),
  );
  const known = moved.filter((name) => before.facts[name] === null);
  const changed = moved.filter((name) => before.facts[name] !== null);
  return [
    ...(known.length === 0 ? [] : [{ message: message('moved.known', { facts: known }) }]),
    ...(changed.length === 0 ? [] : [{ message: message('moved.changed', { facts: changed }) }]),
  ];
}
function factNames({ facts }: Belief): FactName[] {
  return Object.keys(facts) as FactName[];
}

function markMoves(before: Belief, after: Belief): Move[] {
  const set = after.marks.filter((mark) => !before.marks.includes(mark));
  const gone = before.marks.filter((mark) => !after.marks.includes(mark));
  return [
    ...(set.length === 0 ? [] : [{ message: message('moved.marked', { marks: set }) }]),
    ...(gone.length === 0 ? [] : [{ message: message('moved.unmarked', { marks: gone }) }]),
  ];
}

type Expectation = ReturnType<typeof expectedNext>;

function expectationMove(from: Expectation, to: Expectation, now: Instant): Move | null {
  if (from?.code === to?.code) return null;
  return { message: expectation(to, now), data: { expected: to?.code ?? null } };
}
/** An instant that is over is no promise. */
export function expectation(to: Expectation, now: Instant): Message {
  const expected = to && { code: to.code, by: to.by === null || to.by < now ? null : to.by };
  return message('moved.expected', { expected });
}
