import type { Role } from '../../contract/role.js';
import { message } from '../messages/message.js';
import { Problem } from './problem.js';

/** G26: refuses a request whose role has no key in this deployment. @throws `Problem` ROLE_OFF */
export function requireKey(roles: readonly Role[], role: Role): void {
  if (roles.includes(role)) return;
  const variable = `PLATFORM_${role.toUpperCase()}_API_KEY`;
  throw new Problem('ROLE_OFF', message('api.role-off', { role, variable }));
}

/**
 * The role whose view of the platform an answer shows: the wanted one, else the supplier's, else the channel's.
 * @throws `Problem` ROLE_OFF
 */
export function chooseRole(roles: readonly Role[], wanted: Role | undefined): Role {
  const as = wanted ?? (roles.includes('supplier') ? 'supplier' : 'channel');
  requireKey(roles, as);
  return as;
}
