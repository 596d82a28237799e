import { type AccessToken, accessRoles } from '../http/access.js';

export type StaffMember = Pick<AccessToken, 'name' | 'role'>;

/** Who can act, by name; the highest role of those with several tokens. */
export function staffOf(tokens: readonly AccessToken[]): StaffMember[] {
  const byRole = tokens
    .filter(({ role }) => role !== 'viewer')
    .toSorted((a, b) => accessRoles.indexOf(a.role) - accessRoles.indexOf(b.role));
  const roles = new Map(byRole.map(({ name, role }) => [name, role]));
  return [...roles].map(([name, role]) => ({ name, role })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
