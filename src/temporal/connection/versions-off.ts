import { isGrpcServiceError } from '@temporalio/client';

/** INVALID_ARGUMENT, FAILED_PRECONDITION and UNIMPLEMENTED: what servers answer that have no Worker Versioning. */
const without = new Set([3, 9, 12]);
const permissionDenied = 7;

/**
 * Whether a request about versions was refused because a namespace or its server has none.
 * @returns the server's words; undefined for any other error, such as that of a key without the right to read
 */
export function versionsOff(error: unknown): string | undefined {
  if (!isGrpcServiceError(error)) return undefined;
  // the same code as for a missing right
  const isOff = error.code === permissionDenied && /\bdisabled\b/.test(error.details);
  return isOff || without.has(error.code) ? error.details : undefined;
}
