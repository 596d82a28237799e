import type { DataOf, Message } from '../../domain/shared/message.js';
import { fields } from './en/fields.js';

type Code = keyof typeof fields;
/** Those that are no sentence of zod, and hold no other. */
type Expectation = {
  [Key in Code]: Parameters<(typeof fields)[Key]> extends [] | [infer Data]
    ? Data extends { text: string }
      ? never
      : Key
    : never;
}[Code];

const known = new Map<string, Message>();

/** What a schema refuses with. zod carries a text alone, by which `expectationOf` finds code and data again. */
export function expected<Key extends Expectation>(code: Key, data: DataOf<(typeof fields)[Key]>): string {
  const write = fields[code] as (data: object) => string;
  const text = write(data);
  known.set(text, { code, data });
  return text;
}

/** The sentence of a text that a schema refuses with; undefined: it is zod's own. */
export function expectationOf(text: string): Message | undefined {
  return known.get(text);
}

/** The same of what a wire profile expects, or the name of a type. */
export function profileExpectation(expected: string): Message | string {
  return known.get(`expected ${expected}`) ?? expected;
}

// texts of the wire profile's values that requests of the status API have too: the profile knows no catalogue
for (const code of [
  'field.integer',
  'field.no-blanks',
  'field.digits',
  'field.birth',
  'field.moment',
  'field.offset',
  'field.moment-exists',
] as const)
  expected(code, {});
