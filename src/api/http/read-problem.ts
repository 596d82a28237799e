import { CatalogueError } from '../../platform/catalogue/error.js';
import { Problem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';

/** Codes of an answer that was received and does not fit the wire profile. */
const unusable = ['UNREADABLE', 'REFUSED', 'REDIRECTED', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];

/** A failed read of the platform as a problem for the caller; any other error is returned unchanged. */
export function toReadProblem(error: unknown, notFound: ProblemCode, what: string): unknown {
  if (!(error instanceof CatalogueError)) return error;
  const { code, message, retryAfterMs = 2_000 } = error;
  const members = { platformCode: code };
  if (code === 'NOT_FOUND') return new Problem(notFound, `The platform shows no ${what}.`);
  if (code === 'ROLE_OFF') return new Problem('ROLE_OFF', `Not read: ${message}.`);
  if (code === 'INVALID_INPUT') return new Problem('INVALID_QUERY', message);
  if (unusable.includes(code)) return new Problem('PLATFORM_UNREADABLE', `${message}.`, { members });
  return new Problem(
    'PLATFORM_UNAVAILABLE',
    `${message}. There is no earlier answer to show. Repeat the request later.`,
    {
      members,
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    },
  );
}
