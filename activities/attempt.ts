import type { RoleGate } from '../src/alerts/role-gate.js';
import type { Attempt } from '../src/contract/attempt.js';
import { type Role, roleSuspendedCode } from '../src/contract/role.js';
import { PlatformCallError } from '../src/platform/errors.js';

/**
 * Sends one request under a role's key and says what its end means (L30). Nothing is sent while the role is suspended;
 * only a fault of our own is thrown.
 */
export async function attemptOf<T>(
  gate: Pick<RoleGate, 'isSuspended'>,
  role: Role,
  call: () => Promise<T>,
): Promise<Attempt<T>> {
  if (await gate.isSuspended(role)) return { kind: 'suspended', code: roleSuspendedCode };
  try {
    return { kind: 'done', value: await call() };
  } catch (error) {
    if (error instanceof PlatformCallError) return meaningOf(error);
    throw error;
  }
}

function meaningOf(error: PlatformCallError): Exclude<Attempt<never>, { kind: 'done' }> {
  const { code, message } = error;
  switch (code) {
    case 'RATE_LIMITED':
    case 'UNREACHABLE':
      return { kind: 'wait', code, ...retryAfter(error) };
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
      return { kind: 'suspended', code };
    default:
      if (error.outcome === 'unknown') return { kind: 'unknown', code };
      return { kind: 'refused', code, message };
  }
}

/** The platform's `Retry-After`, where it gave one. */
function retryAfter({ details }: PlatformCallError): { retryAfterMs?: number } {
  return details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs };
}
