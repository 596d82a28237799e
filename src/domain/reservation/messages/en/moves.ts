import type { Locale } from '../../../shared/message.js';
import type { Instant, Period } from '../../../shared/time.js';
import type { CarFact, Grade } from '../../types.js';
import { carName, factName, named } from './names.js';

/** What changed in what is believed. Personal facts are named, never shown (L60). */
export const moves = {
  'moved.status': ({ code, inferred }: { code: number; inferred: readonly string[] }) =>
    `Now at ${named(code)}.${inferred.length === 0 ? '' : ` Inferred: ${inferred.join(', ')}.`}`,
  'moved.status-grade': ({ code, is, was }: { code: string; is: Grade; was: Grade }) =>
    `${code} is now ${is}, no longer ${was}.`,
  'moved.fact-grade': ({ fact, is, was }: { fact: string; is: Grade; was: Grade }) =>
    `The ${factName(fact)} is now ${is}, no longer ${was}.`,
  'moved.car': ({ from, to }: { from: CarFact | null; to: CarFact }) =>
    from === null
      ? `The car is ${carName(to)}.`
      : `The car changed from ${carName(from)} to ${carName(to)}; photos of the old one no longer count.`,
  'moved.period': ({ from, to }: { from: Period | null; to: Period }, { time }: Locale) => {
    const text = ({ start, end }: Period) => `${time(start)} – ${time(end)}`;
    return from === null
      ? `The period is ${text(to)}.`
      : `The period changed from ${text(from)} to ${text(to)}; the deadlines follow it.`;
  },
  'moved.known': ({ facts }: { facts: readonly string[] }) => `Known now: ${facts.map(factName).join(', ')}.`,
  'moved.changed': ({ facts }: { facts: readonly string[] }) => `Changed: ${facts.map(factName).join(', ')}.`,
  'moved.marked': ({ marks }: { marks: readonly string[] }) => `Marked: ${marks.join(', ')}.`,
  'moved.unmarked': ({ marks }: { marks: readonly string[] }) => `No longer marked: ${marks.join(', ')}.`,
  'moved.expected': (
    { expected }: { expected: { code: number; by: Instant | null } | null },
    { time }: Locale,
  ) => {
    if (expected === null) return 'Nothing more is expected.';
    const by = expected.by === null ? '' : ` by ${time(expected.by)}`;
    return `Expected next: ${named(expected.code)}${by}.`;
  },
  'period.ended': () => 'The period has ended.',
} as const;
