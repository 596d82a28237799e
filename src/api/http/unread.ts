import type { Role } from '../../contract/role.js';
import { CatalogueError } from '../../platform/catalogue/error.js';
import { Problem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';

/** Says that the platform had no usable answer: it came, and is not what the wire profile says. */
const unusable = ['UNREADABLE', 'REFUSED', 'REDIRECTED', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];

/** What a read of the platform that failed is to the caller; any other error is given back as it is. */
export function unread(error: unknown, notFound: ProblemCode, what: string): unknown {
  if (!(error instanceof CatalogueError)) return error;
  const { code, message, retryAfterMs = 2_000 } = error;
  const members = { platformCode: code };
  if (code === 'NOT_FOUND') return new Problem(notFound, `The platform shows no ${what}.`);
  if (code === 'ROLE_OFF') return new Problem('ROLE_OFF', `Not read: ${message}.`);
  if (code === 'INVALID_INPUT') return new Problem('INVALID_QUERY', message);
  if (unusable.includes(code)) return new Problem('PLATFORM_UNREADABLE', `${message}.`, { members });
  return new Problem(
    'PLATFORM_UNAVAILABLE',
    `${message}. There is no earlier answer to show. Repeat the request later.`,
    {
      members,
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    },
  );
}

/** G26: what the platform would refuse for the deployment's role is refused here. @throws `Problem` ROLE_OFF */
export function needsKey(roles: readonly Role[], role: Role): void {
  if (roles.includes(role)) return;
  const variable = `PLATFORM_${role.toUpperCase()}_API_KEY`;
  throw new Problem('ROLE_OFF', `This is for the ${role} role, which has no key here: set ${variable}.`);
}

/**
 * Whose view of the platform an answer shows: the one asked for, else the rental company's, else the channel's.
 * @throws `Problem` ROLE_OFF
 */
export function viewAs(roles: readonly Role[], wanted: Role | undefined): Role {
  const as = wanted ?? (roles.includes('supplier') ? 'supplier' : 'channel');
  needsKey(roles, as);
  return as;
}
