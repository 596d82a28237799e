import type { Attempt } from '../../src/contract/attempt.js';
import { type Role, roleSuspendedCode } from '../../src/contract/role.js';
import { PlatformCallError } from '../../src/platform/errors.js';
import type { RoleGate } from '../../src/store/alerts/role-gate.js';

/** One read under a role's key, and what its end means (L30). Nothing is sent while the role is suspended. */
export function readOf<T>(
  gate: Pick<RoleGate, 'isSuspended'>,
  role: Role,
  call: () => Promise<T>,
): Promise<Attempt<T>> {
  return attemptOf(gate, role, async () => ({ kind: 'done', value: await call() }));
}

/** The same for whatever sends one request; only a fault of our own is thrown. */
export async function attemptOf<T>(
  gate: Pick<RoleGate, 'isSuspended'>,
  role: Role,
  send: () => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
  if (await gate.isSuspended(role)) return { kind: 'suspended', code: roleSuspendedCode };
  try {
    return await send();
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
      if (code === 'UNREADABLE') return { kind: 'unknown', code, message };
      if (error.outcome === 'unknown') return { kind: 'unknown', code };
      return { kind: 'refused', code, message, ...platformMessageOf(error) };
  }
}

function platformMessageOf({ details: { platformMessage } }: PlatformCallError) {
  return platformMessage === undefined ? {} : { platformMessage };
}

/** A platform that asks for more (a day, by a fault of its own) is asked again after this. */
const longestRetryAfterMs = 5 * 60_000;

/** The platform's `Retry-After`, where it gave one, bounded. */
function retryAfter({ details }: PlatformCallError): { retryAfterMs?: number } {
  return details.retryAfterMs === undefined
    ? {}
    : { retryAfterMs: Math.min(details.retryAfterMs, longestRetryAfterMs) };
}
