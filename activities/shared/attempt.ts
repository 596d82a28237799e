import type { Role } from '../../src/contract/role.js';
import { type Outcome, roleSuspendedCode } from '../../src/domain/shared/outcome.js';
import { PlatformCallError } from '../../src/platform/errors.js';
import type { RoleGate } from '../../src/store/alerts/role-gate.js';

/** One read under a role's key, and how it ended (L30). Nothing is sent while the role is suspended. */
export function readOnce<T>(
  gate: Pick<RoleGate, 'isSuspended'>,
  role: Role,
  call: () => Promise<T>,
): Promise<Outcome<{ value: T }>> {
  return callOnce(gate, role, async () => ({ outcome: 'applied', value: await call() }));
}

/** The same for whatever sends one request; only a fault of our own is thrown. */
export async function callOnce<T>(
  gate: Pick<RoleGate, 'isSuspended'>,
  role: Role,
  send: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (await gate.isSuspended(role)) return { outcome: 'held-back', code: roleSuspendedCode, keepsId: true };
  try {
    return await send();
  } catch (error) {
    if (error instanceof PlatformCallError) return error.outcome;
    throw error;
  }
}
