import type { RoleDeps } from '../../../activities/role.js';
import { taskQueue } from '../../contract/names.js';
import type { Role } from '../../contract/role.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { createRoleGate } from '../../store/alerts/role-gate.js';
import type { HandoverDatabase } from '../../store/handover.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { moveStrandedRole } from '../../temporal/client/roles.js';
import type { Setting } from '../startup/setting.js';

/** Dependencies of the activities of a suspended role (L30); its alerts are posted where ALERT_URL is set. */
export function rolesOf(
  { config, policy }: Setting,
  {
    temporal,
    prompt,
    sealer,
  }: { temporal: TemporalClient; prompt: HandoverDatabase['prompt']; sealer: Sealer },
): RoleDeps {
  const alerts = createAlerts(prompt, { sealer, post: config.alerts.url !== undefined });
  const settings = { probeMs: config.keyProbeMs, historyEventsPerRun: policy.historyEventsPerRun };
  // the gate is read before each request to the platform: a silent database must not delay it
  const gate = createRoleGate(createAlerts(prompt, { sealer, post: false }));
  const { client } = temporal;
  const moveStranded = (role: Role) => moveStrandedRole({ client, queue: taskQueue, settings }, role);
  return { client, queue: taskQueue, alerts, gate, settings, moveStranded };
}
