import type { RoleDeps } from '../../activities/roles.js';
import { createAlerts } from '../alerts/alerts.js';
import { createRoleGate } from '../alerts/role-gate.js';
import type { Config } from '../config.js';
import type { HandoverDb } from '../db/handover.js';
import type { Sealer } from '../sealing/sealer.js';
import type { TemporalClient } from './temporal.js';

/** What the activities of a suspended role work with (L30); its alerts are posted where ALERT_URL is set. */
export function rolesOf(
  { alerts: { url }, keyProbeMs: probeMs, historyEventsPerRun }: Config,
  { temporal, db, sealer }: { temporal: TemporalClient; db: HandoverDb; sealer: Sealer },
): RoleDeps {
  const alerts = createAlerts(db, { sealer, post: url !== undefined });
  const settings = { probeMs, historyEventsPerRun };
  return { client: temporal.client, alerts, gate: createRoleGate(alerts), settings };
}
