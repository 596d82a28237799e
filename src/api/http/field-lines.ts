import type { Sentence } from '../../domain/shared/message.js';
import type { Misfit } from '../../platform/unread.js';
import type { FieldLine } from '../messages/en/fields.js';
import { expectationOf, profileExpectation } from '../messages/expected.js';
import { message as sentence } from '../messages/message.js';

/** What zod found, and where; of each code the members that it has. */
export interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  expected?: string;
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  keys?: readonly string[];
  values?: readonly unknown[];
  /** What a wire profile found: the value itself is not in it. */
  params?: { misfit?: Misfit } | undefined;
  /** Of each form that a value may have. */
  errors?: readonly (readonly Issue[])[];
}

export function fieldLines(issues: readonly Issue[]): FieldLine[] {
  return issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: sentenceOf(issue) }));
}

/** The issues of one form of a value as one text, which a union refuses with. */
export function inOneText(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}

function sentenceOf(issue: Issue): Sentence {
  const { message: text, errors = [] } = issue;
  if (issue.params?.misfit !== undefined) return sentenceOfMisfit(text, issue.params.misfit);
  const form = errors.find((issues) => issues.length > 0 && inOneText(issues) === text);
  if (form !== undefined) return sentence('field.each', { lines: fieldLines(form) });
  return expectationOf(text) ?? sentenceOfZod(issue);
}

function sentenceOfMisfit(text: string, { expected, received, gap }: Misfit): Sentence {
  const expectation = profileExpectation(expected);
  return sentence('field.misfit', { text, expectation, received, gap: gap ?? null });
}

function sentenceOfZod(issue: Issue): Sentence {
  const { code, message: text, expected = '', origin = '', minimum, maximum, keys = [], values = [] } = issue;
  switch (code) {
    case 'invalid_type':
      return sentence('field.type', { text, expected });
    case 'too_small':
      return sentence('field.at-least', { text, origin, limit: Number(minimum) });
    case 'too_big':
      return sentence('field.at-most', { text, origin, limit: Number(maximum) });
    case 'unrecognized_keys':
      return sentence('field.unknown', { text, keys });
    case 'invalid_value':
      return sentence('field.value', { text, values });
    default:
      return sentence('field.other', { text });
  }
}
