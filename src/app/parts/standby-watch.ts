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
 * inbox too. What it raises is posted where it has ALERT_URL (by a worker, where it lacks ALERT_SECRET). One without ALERT_URL leaves the
 * watch to the worker that leads, as long as one does.
 */
export async function startStandbyWatch(
  { config, log }: Setting,
  stack: Stack,
  database: Pick<HandoverDatabase, 'db'>,
): Promise<void> {
  const { db } = database;
  const sealer = createSealer(config.codec.keys, config.codec);
  const isPosted = config.alerts.url !== undefined;
  const alerts = createAlerts(db, { sealer, post: isPosted });
  await startOutboxPart({ ...config, forward: {} }, stack, { db, sealer, log });
  const watch = await stack.start(
    'watch over the inbox',
    async () => standbyWatch({ database, alerts, settings: intakeOf(config), log, watchesAlways: isPosted }),
    (running) => running.stop(),
  );
  watch.start();
}
