import { standbyWatch } from '../../inbox/housekeeping.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { createSealer } from '../../store/sealing/sealer.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { startOutboxPart } from './outbox.js';
import { intakeOf } from './relay.js';

/**
 * Starts the standby watch, by which `handover api` reports a cluster whose workers are gone or frozen: it watches the
 * inbox too, and posts alerts where it has ALERT_URL and ALERT_SECRET.
 */
export async function startStandbyWatch(
  { config, log }: Setting,
  stack: Stack,
  database: Pick<HandoverDatabase, 'db'>,
): Promise<void> {
  const { db } = database;
  const sealer = createSealer(config.codec.keys, config.codec);
  const { url, secret } = config.alerts;
  const alerts = createAlerts(db, { sealer, post: url !== undefined && secret !== undefined });
  await startOutboxPart({ ...config, forward: {} }, stack, { db, sealer, log });
  const watch = await stack.start(
    'watch over the inbox',
    async () => standbyWatch({ database, alerts, settings: intakeOf(config), log }),
    (running) => running.stop(),
  );
  watch.start();
}
