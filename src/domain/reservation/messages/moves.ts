import { type Instant, type Period, stamp } from '../../shared/time.js';
import { type Belief, isSame } from '../belief.js';
import { expectedNext } from '../expected.js';
import type { ReservationState } from '../state.js';
import type { CarFact, TimelineEntry } from '../types.js';
import { named } from './names.js';

/** A change of what is believed, as a sentence and as data. */
interface Move {
  text: string;
  data: TimelineEntry['data'];
}

/**
 * What changed in what is believed of a reservation, in sentences at the end of a timeline entry, so that its reader
 * need not read codes. Personal facts are named, never shown (L60).
 */
export function moves(state: ReservationState, before: Belief, after: Belief, now: Instant): Move {
  if (before === after) return { text: '', data: {} };
  const time = (instant: Instant) => stamp(instant, state.policy.zoneOffsetMinutes);
  const all = [
    statusMove(before, after),
    ...gradeMoves(before, after),
    carMove(before.facts.car?.value, after.facts.car?.value),
    periodMove(before.facts.period?.value, after.facts.period?.value, time),
    ...otherFacts(before, after),
    ...markMoves(before, after),
    expectationMove(expectedNext(state, before, now), expectedNext(state, after, now), now, time),
  ].filter((move) => move !== null);
  return {
    text: all.map(({ text }) => ` ${text}`).join(''),
    data: Object.assign({}, ...all.map(({ data }) => data)),
  };
}

function statusMove({ status: before }: Belief, { status: after }: Belief): Move | null {
  const { code } = after;
  if (code === null || before.code === code) return null;
  const skipped = Object.keys(after.reached).filter(
    (rung) => after.reached[rung] === 'inferred' && !(rung in before.reached) && rung !== `${code}`,
  );
  const inferred = skipped.length === 0 ? '' : ` Inferred: ${skipped.join(', ')}.`;
  return { text: `Now at ${named(code)}.${inferred}`, data: { from: before.code, to: code } };
}

/** L03, L22: why a status or a fact is believed has changed, not what is believed. */
function gradeMoves(before: Belief, after: Belief): Move[] {
  const rungs = Object.entries(after.status.reached).flatMap(([rung, grade]) => {
    const was = before.status.reached[rung];
    return was === undefined || was === grade ? [] : [`${rung} is now ${grade}, no longer ${was}.`];
  });
  const facts = factNames(after).flatMap((name) => {
    const was = before.facts[name];
    const is = after.facts[name];
    if (!was || !is || was.grade === is.grade || !isSame(was.value, is.value)) return [];
    return [`The ${nameOf(name)} is now ${is.grade}, no longer ${was.grade}.`];
  });
  return [...rungs, ...facts].map((text) => ({ text, data: {} }));
}

function carMove(from: CarFact | undefined, to: CarFact | undefined): Move | null {
  if (to === undefined || from?.id === to.id) return null;
  if (from === undefined) return { text: `The car is ${carName(to)}.`, data: { toCar: to.id } };
  const text = `The car changed from ${carName(from)} to ${carName(to)}; photos of the old one no longer count.`;
  return { text, data: { fromCar: from.id, toCar: to.id } };
}
function carName({ id, number }: CarFact): string {
  return number === null ? `${id}` : `${id} (${number})`;
}

function periodMove(
  from: Period | undefined,
  to: Period | undefined,
  time: (instant: Instant) => string,
): Move | null {
  if (to === undefined || isSame(from, to)) return null;
  const toText = ({ start, end }: Period) => `${time(start)} – ${time(end)}`;
  const data = { toStart: to.start, toEnd: to.end };
  if (from === undefined) return { text: `The period is ${toText(to)}.`, data };
  return {
    text: `The period changed from ${toText(from)} to ${toText(to)}; the deadlines follow it.`,
    data: { fromStart: from.start, fromEnd: from.end, ...data },
  };
}

type FactName = keyof Belief['facts'];

/** The facts that are named only. */
function otherFacts(before: Belief, after: Belief): Move[] {
  const moved = factNames(after).filter(
    (name) =>
      name !== 'car' && name !== 'period' && !isSame(before.facts[name]?.value, after.facts[name]?.value),
  );
  const fresh = moved.filter((name) => before.facts[name] === null).map(nameOf);
  const changed = moved.filter((name) => before.facts[name] !== null).map(nameOf);
  return [
    ...(fresh.length === 0 ? [] : [{ text: `Known now: ${fresh.join(', ')}.`, data: {} }]),
    ...(changed.length === 0 ? [] : [{ text: `Changed: ${changed.join(', ')}.`, data: {} }]),
  ];
}
function factNames({ facts }: Belief): FactName[] {
  return Object.keys(facts) as FactName[];
}
/** `parkingImageUrl`: parking image url. */
function nameOf(name: FactName): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function markMoves(before: Belief, after: Belief): Move[] {
  const set = after.marks.filter((mark) => !before.marks.includes(mark));
  const gone = before.marks.filter((mark) => !after.marks.includes(mark));
  return [
    ...(set.length === 0 ? [] : [{ text: `Marked: ${set.join(', ')}.`, data: {} }]),
    ...(gone.length === 0 ? [] : [{ text: `No longer marked: ${gone.join(', ')}.`, data: {} }]),
  ];
}

type Expectation = ReturnType<typeof expectedNext>;

function expectationMove(
  from: Expectation,
  to: Expectation,
  now: Instant,
  time: (instant: Instant) => string,
): Move | null {
  if (from?.code === to?.code) return null;
  return { text: expectationText(to, now, time), data: { expected: to?.code ?? null } };
}
/** The entry that time alone writes. */
export function periodEndedText(to: Expectation, now: Instant, zoneOffsetMinutes: number): string {
  return `The period has ended. ${expectationText(to, now, (instant) => stamp(instant, zoneOffsetMinutes))}`;
}
/** An instant that is over is no promise. */
function expectationText(expected: Expectation, now: Instant, time: (instant: Instant) => string): string {
  if (expected === null) return 'Nothing more is expected.';
  const by = expected.by === null || expected.by < now ? '' : ` by ${time(expected.by)}`;
  return `Expected next: ${named(expected.code)}${by}.`;
}
