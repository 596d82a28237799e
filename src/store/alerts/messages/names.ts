import type { Role } from '../../../contract/role.js';
import type { AlertKind } from '../kinds.js';

/** The same in every language. */
export const keyVariable: Readonly<Record<Role, string>> = {
  channel: 'PLATFORM_CHANNEL_API_KEY',
  supplier: 'PLATFORM_SUPPLIER_API_KEY',
};

/** Where the runbook is, for alerts that only an engineer can remove. */
export const runbook = (kind: AlertKind) => `docs/runbook.md#${kind}`;
