import { CatalogueError } from '../../platform/catalogue/error.js';
import type { Shown } from '../messages/en/subjects.js';
import { message } from '../messages/message.js';
import { Problem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';

/** Codes of an answer that was received and does not fit the wire profile. */
const unusable = ['UNREADABLE', 'REFUSED', 'REDIRECTED', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];

/** A failed read of the platform as a problem for the caller; any other error is returned unchanged. */
export function toReadProblem(
  error: unknown,
  notFound: ProblemCode,
  requested: { what: Shown; id: number | null },
): unknown {
  if (!(error instanceof CatalogueError)) return error;
  const { code, message: text, retryAfterMs = 2_000 } = error;
  const why = { code, text };
  const members = { platformCode: code };
  if (code === 'NOT_FOUND') return new Problem(notFound, message('api.not-shown', requested));
  if (code === 'ROLE_OFF') return new Problem('ROLE_OFF', message('api.not-read', why));
  if (code === 'INVALID_INPUT') return new Problem('INVALID_QUERY', text);
  if (unusable.includes(code))
    return new Problem('PLATFORM_UNREADABLE', message('api.platform-unreadable', why), { members });
  return new Problem('PLATFORM_UNAVAILABLE', message('api.platform-unavailable', why), {
    members,
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  });
}
