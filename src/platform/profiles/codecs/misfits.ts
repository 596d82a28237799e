import type { z } from 'zod';
import { type GapId, type Misfit, typeOf } from '../../unread.js';

type Issue = z.core.$ZodIssue;

/**
 * The path of a value that does not fit, with the expected and the received type. Where the profile itself describes
 * what it expects, its description is used.
 *
 * @param wire the value that was read by the schema of `issue`
 * @param gap the gap of that schema; an issue of a part with another gap has that gap
 */
export function misfitOf(issue: Issue, wire: unknown, gap: GapId | undefined): Misfit {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const inner = issue.code === 'custom' ? (issue.params?.misfit as Misfit | undefined) : undefined;
  if (inner !== undefined) return { ...inner, path };
  return { path, expected: expectedBy(issue), received: typeOf(valueAt(wire, path)), gap };
}

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'integer' : issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    default:
      return issue.message.replace(/^expected /, '');
  }
}

function valueAt(wire: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
    wire,
  );
}
