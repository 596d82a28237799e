import { z } from 'zod';
import { notOneOf } from './nearest.js';
import { type Moment, readDuration, readMoment } from './times.js';

type Shape = Record<string, z.ZodType>;
type Output<S extends Shape> = z.output<z.ZodObject<S>>;

/** A mapping with these keys. Every problem is reported, and for an unknown key the nearest known one. */
export function fields<S extends Shape>(shape: S): z.ZodType<Output<S>> {
  const inner = z.object(shape);
  const known = Object.keys(shape);
  return z.unknown().transform((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue(`expected a mapping of ${known.join(', ')}`);
      return z.NEVER;
    }
    const strange = Object.keys(value).filter((key) => !known.includes(key));
    for (const key of strange)
      context.addIssue({ code: 'custom', path: [key], message: notOneOf(key, known) });
    const read = inner.safeParse(value);
    copyIssues(context, read.error);
    return read.success && strange.length === 0 ? read.data : z.NEVER;
  }) as unknown as z.ZodType<Output<S>>;
}

interface Forms {
  word: z.ZodType;
  list?: z.ZodType;
  map?: z.ZodType;
}
type Written<F extends Forms> = z.output<NonNullable<F[keyof F & keyof Forms]>>;

/** A value that may be written in several forms: as a scalar, a list or a mapping. */
export function either<F extends Forms>(forms: F, expected: string): z.ZodType<Written<F>> {
  return z.unknown().transform((value, context) => {
    const isMap = typeof value === 'object' && value !== null;
    const form = Array.isArray(value) ? forms.list : isMap ? forms.map : forms.word;
    if (form === undefined) {
      context.addIssue(`expected ${expected}`);
      return z.NEVER;
    }
    const read = form.safeParse(value);
    copyIssues(context, read.error);
    return read.success ? read.data : z.NEVER;
  }) as unknown as z.ZodType<Written<F>>;
}

function copyIssues(context: z.core.$RefinementCtx, error: z.ZodError | undefined): void {
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
}

export function oneOf<const T extends readonly (string | number)[]>(known: T): z.ZodType<T[number]> {
  return z.unknown().transform((value, context) => {
    // 404 without quotes is a number in YAML
    const found = known.find((one) => one === value || one === String(value));
    if (found !== undefined) return found;
    context.addIssue(notOneOf(value, known.map(String)));
    return z.NEVER;
  }) as unknown as z.ZodType<T[number]>;
}

/** A mapping whose keys are some of `known`. */
export function perWord<const T extends readonly string[], V extends z.ZodType>(known: T, value: V) {
  const shape = Object.fromEntries(known.map((word) => [word, value.optional()]));
  return fields(shape) as unknown as z.ZodType<Partial<Record<T[number], z.output<V>>>>;
}

export const sentence = z.string({ error: 'expected a text' }).trim().min(1, 'expected a text');
export const count = z.int({ error: 'expected a whole number' }).min(0, 'expected a whole number from 0 on');

export const duration: z.ZodType<number> = z.unknown().transform((value, context) => {
  const ms = typeof value === 'string' ? readDuration(value) : undefined;
  if (ms !== undefined) return ms;
  context.addIssue(`${JSON.stringify(value)} is no duration; write one such as 3h, 1d 12h, 90s or PT3H`);
  return z.NEVER;
});

export const moment: z.ZodType<Moment> = z.unknown().transform((value, context) => {
  const read = typeof value === 'string' ? readMoment(value) : undefined;
  if (read !== undefined) return read;
  context.addIssue(
    `${JSON.stringify(value)} is no moment; write one such as start-1h, end, end+3h or booked+10m`,
  );
  return z.NEVER;
});
