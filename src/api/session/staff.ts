import type { Person } from '../../store/persons.js';
import type { ApiDeps } from '../deps.js';
import { highestRole } from '../http/access.js';

/**
 * Who can act, by name, with the highest role: those of HANDOVER_TOKENS, and persons whom the identity provider has logged in
 * and who are known since.
 */
export async function readStaff({
  tokens,
  persons,
  oidc,
  clock = Date.now,
}: Pick<ApiDeps, 'tokens' | 'persons' | 'oidc' | 'clock'>): Promise<Person[]> {
  const loggedIn = oidc === undefined ? [] : await persons.list(clock());
  const acting = [...tokens, ...loggedIn].filter(({ role }) => role !== 'viewer');
  const names = [...new Set(acting.map(({ name }) => name))].toSorted();
  return names.map((name) => {
    const roles = acting.filter((one) => one.name === name).map(({ role }) => role);
    return { name, role: highestRole(roles) === 'manager' ? 'manager' : 'staff' };
  });
}
