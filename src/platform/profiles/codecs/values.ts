import { z } from 'zod';

/** An id in a JSON body: one above 2^53-1 has lost digits while it was parsed, so it is refused, not rounded. */
export const id = z.int();

/** A code or count in a JSON body. */
export const integer = z.int();

/** Text that a person wrote and that must not be blank. */
export const text = z.string().regex(/\S/, 'expected text, not blanks');

/** Specification, Limits: digits only, without `-`. Requests only; callbacks keep what came (L61). */
export const phone = z.string().regex(/^\d{1,20}$/, 'expected digits only, without -');

/** Specification, Limits: `YYYYMMDD`, a day that exists. Requests only; callbacks keep what came (L61). */
export const birth = z
  .string()
  .refine((value) => /^\d{8}$/.test(value) && dayExists(value.replace(/^(....)(..)(..)$/, '$1-$2-$3')), {
    message: 'expected a birth date YYYYMMDD that exists',
  });

/** `yyyy-MM-dd`, a day that exists. */
export const calendarDate = z
  .string()
  .refine((value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && dayExists(value), {
    message: 'expected a date yyyy-MM-dd that exists',
  });

export const yesNo = z.enum(['Y', 'N']);

/** An integer in a path, a query or a multipart field, where everything is text. */
export const integerText = integerAsText(z.int());

/** The same for a closed set of integers. */
export function integerAsText<T extends z.ZodType<number, number>>(range: T) {
  return z.codec(z.string().regex(/^(?:0|-?[1-9]\d*)$/, 'expected an integer'), range, {
    decode: (written) => Number(written) as z.input<T>,
    encode: (value) => String(value),
  });
}

function dayExists(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}
