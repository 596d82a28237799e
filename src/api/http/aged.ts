import type { FastifyReply } from 'fastify';
import type { Read } from '../../platform/catalogue/cache.js';
import type { WriteMoment } from './moments.js';

/** Sets the header `Age` and returns the fields about the age of an answer: of several reads the oldest. */
export function setAge(
  reply: FastifyReply,
  write: WriteMoment,
  first: Read<unknown>,
  ...more: Read<unknown>[]
) {
  const reads = [first, ...more];
  const oldest = reads.reduce((a, b) => (b.ageMs > a.ageMs ? b : a));
  const ageSeconds = Math.floor(oldest.ageMs / 1000);
  reply.header('age', ageSeconds);
  const staleBecause = reads.find((read) => read.staleBecause !== null)?.staleBecause ?? null;
  return { asOf: write(oldest.asOf), ageSeconds, staleBecause };
}
