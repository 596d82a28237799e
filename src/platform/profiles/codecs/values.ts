import { z } from 'zod';

const anyLeapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';

/** An id in a JSON body. One above 2^53-1 is refused, because `JSON.parse` has rounded it. */
export const id = z.int();

/** A code or count in a JSON body. */
export const integer = z.int();

/** Text that may be blank. NUL is refused, because Postgres cannot store it. */
export const anyText = z.string().meta({ pattern: '^[^\\u0000]*$' });

/** Text that a person wrote and that must not be blank. */
export const text = z
  .string()
  .regex(/\S/, 'expected text, not blanks')
  // Postgres cannot store NUL
  .meta({ pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' });

/** Specification, Limits: digits only, without `-`. For requests; callbacks store the text as received (L61). */
export const phone = z.string().regex(/^\d{1,20}$/, 'expected digits only, without -');

/** Specification, Limits: `YYYYMMDD`, a day that exists. For requests; callbacks store the text as received (L61). */
export const birth = day('', 'expected a birth date YYYYMMDD that exists');

/** `yyyy-MM-dd`, a day that exists. */
export const calendarDate = day('-', 'expected a date yyyy-MM-dd that exists');

export const yesNo = z.enum(['Y', 'N']);

/** An integer in a path, a query or a multipart field, all of which are text. */
export const integerText = integerAsText(z.int());

/** One of a fixed set of integers, as text. */
export function integerAsText<T extends z.ZodType<number, number>>(range: T) {
  const documented =
    range instanceof z.ZodLiteral
      ? { enum: [...range.values].map(String) }
      : { pattern: '^(?:0|-?[1-9]\\d{0,14}|-?[1-8]\\d{15})$' };
  const read = z.codec(z.string().regex(/^(?:0|-?[1-9]\d*)$/, 'expected an integer'), range, {
    decode: (written) => Number(written) as z.input<T>,
    encode: (value) => String(value),
  });
  return read.meta(documented);
}

/** A day that exists, with the pattern for the API document, which covers the years 1000 to 2999. */
function day(separator: '' | '-', expected: string) {
  return z
    .string()
    .regex(new RegExp(`^${dayPattern(separator)}$`), expected)
    .meta({ pattern: `^${documentedDay(separator)}$` });
}

function dayPattern(s: '' | '-', year = '\\d{4}', leapYear = anyLeapYear): string {
  const days = [
    `(?:0[13578]|1[02])${s}(?:0[1-9]|[12]\\d|3[01])`,
    `(?:0[469]|11)${s}(?:0[1-9]|[12]\\d|30)`,
    `02${s}(?:0[1-9]|1\\d|2[0-8])`,
  ];
  return `(?:${year}${s}(?:${days.join('|')})|${leapYear}${s}02${s}29)`;
}

export function documentedDay(separator: '' | '-'): string {
  return dayPattern(
    separator,
    '[12]\\d{3}',
    '(?:[12]\\d(?:0[48]|[2468][048]|[13579][26])|(?:1[26]|2[048])00)',
  );
}
