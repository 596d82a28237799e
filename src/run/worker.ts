import { installRuntime } from '../engine/runtime.js';
import { openDatabase } from './database.js';
import { startHeartbeat } from './heartbeat.js';
import { startReconciling } from './reconciliation-schedule.js';
import { clusterSetting } from './setting.js';
import { openClient } from './temporal.js';
import { needed, say, untilStopped } from './until-stopped.js';
import { startWorkerPart } from './worker-part.js';

/** `handover worker`: worker and relay of a cluster. */
export async function worker(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await clusterSetting(env, { receives: false });
  const { alerts, codec, databaseUrl, platform } = setting.config;
  const url = needed(databaseUrl, 'worker', 'DATABASE_URL', 'the database that `handover api` writes to');
  const platformUrl = needed(platform.baseUrl, 'worker', 'PLATFORM_BASE_URL', 'the address of the platform');
  needed(codec.keys[0]?.id, 'worker', 'CODEC_KEYS', 'the keys that `handover api` encrypts with too');
  if (alerts.url !== undefined)
    needed(alerts.secret, 'worker', 'ALERT_SECRET', 'the secret that signs what goes to ALERT_URL');
  installRuntime({ log: setting.log });
  await untilStopped(setting, async (stack) => {
    const database = await openDatabase(stack, { url, folder: '' });
    const temporal = await openClient(setting, stack);
    const { failed, isPolling } = await startWorkerPart(setting, stack, { temporal, database, platformUrl });
    await startReconciling(setting, temporal.client);
    await startHeartbeat(stack, isPolling);
    say('worker and relay run');
    return { failed };
  });
}
