import type { RoleDeps } from '../../activities/role.js';

/** For a worker whose platform accepts its keys: no role is ever suspended. */
export const noRoles: RoleDeps = {
  client: undefined as unknown as RoleDeps['client'],
  queue: 'no-queue',
  alerts: { raise: async () => false, clear: async () => false },
  gate: { isSuspended: async () => false, forget: () => {} },
  settings: { probeMs: 30_000, historyEventsPerRun: 4_000 },
  moveStranded: async () => false,
};
