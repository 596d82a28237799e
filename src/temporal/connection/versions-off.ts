import { isGrpcServiceError } from '@temporalio/client';
import { engineCode } from './unavailable.js';

/** What servers answer that have no Worker Versioning. */
const without = ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'UNIMPLEMENTED'];

/**
 * Whether a request about versions was refused because a namespace or its server has none.
 * @returns the server's words; undefined for any other error, such as that of a key without the right to read
 */
export function versionsOff(error: unknown): string | undefined {
  if (!isGrpcServiceError(error)) return undefined;
  const code = engineCode(error) ?? '';
  // the same code as for a missing right
  const isOff = code === 'PERMISSION_DENIED' && /\bdisabled\b/.test(error.details);
  return isOff || without.includes(code) ? error.details : undefined;
}
