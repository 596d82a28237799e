import { type AccessToken, highestRole } from '../http/access.js';

export type StaffMember = Pick<AccessToken, 'name' | 'role'>;

/** Who can act, by name; the highest role of those with several tokens. */
export function staffOf(tokens: readonly AccessToken[]): StaffMember[] {
  const acting = tokens.filter(({ role }) => role !== 'viewer');
  const names = [...new Set(acting.map(({ name }) => name))].toSorted();
  return names.flatMap((name) => {
    const role = highestRole(acting.filter((one) => one.name === name).map((one) => one.role));
    return role === undefined ? [] : [{ name, role }];
  });
}
