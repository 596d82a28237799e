import { storedChannel } from '../../inbox/relay/shard-owner.js';
import { externalTarget } from '../../temporal/connection/connection.js';
import { notifyRarely } from '../notify-rarely.js';
import { startApiPart } from '../parts/api.js';
import { openDatabase } from '../parts/database.js';
import { warnOfPooler } from '../parts/pooler-warning.js';
import { startStandbyWatch } from '../parts/standby-watch.js';
import { openTemporal } from '../parts/temporal.js';
import { clusterSetting } from '../startup/setting.js';
import { printLine, requireValue, untilStopped } from '../startup/until-stopped.js';
import { startTracing } from '../tracing/open.js';

/** `handover api`: receiver and status API of a cluster. It receives as soon as the database is there, with Temporal or without. */
export async function runApi(env: NodeJS.ProcessEnv): Promise<void> {
  const given = await clusterSetting(env, { receives: true });
  const { codec, databaseUrl, tokens } = given.config;
  const url = requireValue(databaseUrl, 'api', 'DATABASE_URL', 'the database that `handover worker` reads');
  requireValue(tokens[0]?.token, 'api', 'HANDOVER_TOKENS', '`role:token[:name]` entries, comma-separated');
  requireValue(codec.keys[0]?.id, 'api', 'CODEC_KEYS', 'the keys that `handover worker` encrypts with too');
  const target = externalTarget(env);
  await untilStopped(given, async (stack) => {
    const setting = { ...given, tracing: await startTracing(env, { stack, log: given.log, part: 'api' }) };
    const database = await openDatabase(setting, stack, { url, folder: '' });
    void warnOfPooler(database, setting.log);
    const temporal = await openTemporal(setting, stack, { target, database });
    temporal.monitor.start();
    const wakeRelay = notifyRarely(() => database.notify(storedChannel));
    const api = await startApiPart(setting, stack, {
      temporal,
      database,
      platformUrl: setting.config.platform.baseUrl,
      onStored: wakeRelay,
      wakeRelay,
    });
    await startStandbyWatch(setting, stack, database);
    printLine(
      `${setting.config.callbacks.port === undefined ? 'status API and receiver' : 'status API'} on ${api}`,
    );
  });
}
