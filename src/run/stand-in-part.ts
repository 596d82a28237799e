import { createAlerts } from '../alerts/alerts.js';
import type { HandoverDatabase } from '../db/handover.js';
import { standInWatch } from '../intake/housekeeping.js';
import { createSealer } from '../sealing/sealer.js';
import { startOutboxPart } from './outbox-part.js';
import { intakeOf } from './relay-part.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';

/**
 * Starts what tells of a cluster whose workers are gone: `handover api` raises the alerts of the intake while no relay is
 * active, and posts them where it has ALERT_URL and ALERT_SECRET.
 */
export async function startStandInPart(
  { config, log }: Setting,
  stack: Stack,
  database: Pick<HandoverDatabase, 'db' | 'lockHolder'>,
): Promise<void> {
  const { db } = database;
  const sealer = createSealer(config.codec.keys);
  const { url, secret } = config.alerts;
  const alerts = createAlerts(db, { sealer, post: url !== undefined && secret !== undefined });
  await startOutboxPart({ alerts: config.alerts, forward: {} }, stack, { db, sealer, log });
  const watch = await stack.start(
    'watch over the inbox',
    async () => standInWatch({ database, alerts, settings: intakeOf(config), log }),
    (running) => running.stop(),
  );
  watch.start();
}
