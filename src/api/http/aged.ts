import type { FastifyReply } from 'fastify';
import type { Read } from '../../platform/catalogue/cache.js';
import type { WriteMoment } from './moments.js';

/** What an answer says of its age, in body and header: of several readings the oldest. */
export function aged(
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
