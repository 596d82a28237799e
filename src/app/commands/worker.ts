import { externalTarget } from '../../temporal/connection/connection.js';
import { installObservedRuntime } from '../../temporal/worker/sdk-metrics.js';
import { openDatabase } from '../parts/database.js';
import { startHealthPart } from '../parts/health.js';
import { warnOfPooler } from '../parts/pooler-warning.js';
import { startReconcilingPart } from '../parts/reconciliation.js';
import { openTemporal } from '../parts/temporal.js';
import { startWorkerPart } from '../parts/worker.js';
import { WorkerHealth } from '../parts/worker-health.js';
import { clusterSetting } from '../startup/setting.js';
import { printLine, requireValue, untilStopped } from '../startup/until-stopped.js';
import { startTracing } from '../tracing/open.js';

/** `handover worker`: worker and relay of a cluster. Without Temporal it waits for it. */
export async function runWorker(env: NodeJS.ProcessEnv): Promise<void> {
  const given = await clusterSetting(env, { receives: false });
  const { alerts, codec, databaseUrl, platform } = given.config;
  const url = requireValue(
    databaseUrl,
    'worker',
    'DATABASE_URL',
    'the database that `handover api` writes to',
  );
  const platformUrl = requireValue(
    platform.baseUrl,
    'worker',
    'PLATFORM_BASE_URL',
    'the address of the platform',
  );
  requireValue(codec.keys[0]?.id, 'worker', 'CODEC_KEYS', 'the keys that `handover api` encrypts with too');
  if (alerts.url !== undefined)
    requireValue(alerts.secret, 'worker', 'ALERT_SECRET', 'the secret that signs what goes to ALERT_URL');
  const target = externalTarget(env);
  const runtime = await installObservedRuntime(given.log);
  const { sdkMetrics } = runtime;
  await untilStopped(given, async (stack) => {
    const setting = { ...given, tracing: await startTracing(env, { stack, log: given.log, part: 'worker' }) };
    const database = await openDatabase(setting, stack, { url, folder: '' });
    void warnOfPooler(database, setting.log);
    const temporal = await openTemporal(setting, stack, { target, database });
    temporal.monitor.start();
    const health = new WorkerHealth(() => temporal.monitor.isConnected);
    printLine(
      `health and metrics on ${await startHealthPart(setting, stack, { health, database, sdkMetrics })}`,
    );
    await startReconcilingPart(setting, stack, temporal);
    await startWorkerPart(setting, stack, {
      temporal,
      monitor: temporal.monitor,
      database,
      platformUrl,
      health,
      runtime,
    });
    printLine('worker and relay run');
  });
}
