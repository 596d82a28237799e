import { z } from 'zod';
import { gaps } from '../gaps.js';
import { defaultProfile } from './default/index.js';

const callable = z.custom<unknown>((value) => typeof value === 'function', 'expected a function');

/** Checks that all parts of a wire profile exist. Only a real platform can show whether they are right. */
const outline = z.object({
  name: z.string(),
  zone: z.object({ name: z.string(), offsetMinutes: z.int() }),
  operations: z.object(shapeLike(defaultProfile.operations)),
  errors: z.object({ encode: callable, decode: callable }),
  callbacks: z.object({
    paths: z.object(shapeLike(defaultProfile.callbacks.paths)),
    decode: callable,
    encode: callable,
  }),
  behaviour: z.object(shapeLike(defaultProfile.behaviour)),
  differs: z.array(
    z.string().refine((id) => Object.hasOwn(gaps, id), 'expected a gap id of docs/gap-ledger.md'),
  ),
});

/** @returns the problems of a candidate, each as `part: problem`; empty where it is a wire profile */
export function problemsOf(candidate: unknown): string[] {
  const issues = outline.safeParse(candidate).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.') || 'the export'}: ${message}`);
}

function shapeLike<Part extends object>(part: Part) {
  const present = z.unknown().refine((value) => value !== undefined, 'is missing');
  return Object.fromEntries(Object.keys(part).map((key) => [key, present]));
}
