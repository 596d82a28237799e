import type { Role, RoleAlert } from '../contract/role.js';

// What operations read of alerts that belong to no reservation. A text says what happened and what to do; none holds
// personal data.

const keyVariable: Readonly<Record<Role, string>> = {
  channel: 'PLATFORM_CHANNEL_API_KEY',
  supplier: 'PLATFORM_SUPPLIER_API_KEY',
};
const held: Readonly<Record<Role, string>> = {
  channel: 'no booking is sent',
  supplier: 'no dispatch or recall action is sent',
};

/** L30. */
export function roleSuspended({ role, code, reads }: Pick<RoleAlert, 'role' | 'code' | 'reads'>): string {
  const what = reads
    ? `lets the deployment's ${role} key read and refuses its actions`
    : `refuses the deployment's ${role} key`;
  return `The platform ${what} (${code}, L30): ${held[role]} until it works. Check the key with the platform; where it changed, set ${keyVariable[role]} and restart. It is tried by itself, and what waits goes on then.`;
}

/** What a person is told whose booking was held back. */
export const bookingHeldBack =
  'The platform does not accept the key of this deployment at the moment; operations know. Try again later.';
