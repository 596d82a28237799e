import { openHandoverDatabase } from '../../../src/store/handover.js';
import { callbackSecret } from '../callbacks.js';
import type { RestartSite } from '../crash/rolling-restart.js';
import { type CrashSite, type Site, token } from '../crash/sites.js';
import { keys } from '../sandbox.js';
import { Cluster } from './cluster.js';

/** A cluster beside the platform of a test, which takes the place of its sandbox. */
export function clusterAt(platformUrl: string): Promise<Cluster> {
  const settings = {
    CALLBACK_SECRET: callbackSecret,
    PLATFORM_CHANNEL_API_KEY: keys.channel,
    PLATFORM_SUPPLIER_API_KEY: keys.supplier,
    HANDOVER_TOKENS: `manager:${token}`,
  };
  return Cluster.start(settings, { PLATFORM_BASE_URL: platformUrl, SANDBOX_BASE_URL: platformUrl });
}

/** Its processes are killed one after the other, in the order of `names`. */
export function siteOfKills(cluster: Cluster, names: readonly string[]): CrashSite {
  let turn = 0;
  return {
    ...siteOf(cluster),
    async kill() {
      const name = names[turn % names.length] ?? '';
      turn++;
      await cluster.programs[name]?.end('SIGKILL');
      await cluster.whenHealthy(name);
    },
    async killEngine() {
      await cluster.programs.temporal?.end('SIGKILL');
    },
    async loseDatabase() {
      await cluster.databases['handover-db'].restart();
      await cluster.databases['temporal-db'].restart();
    },
  };
}

/** Its programs and databases are restarted in an orderly way. */
export function siteOfRestarts(cluster: Cluster): RestartSite {
  return {
    ...siteOf(cluster),
    async restart(name) {
      if (name === 'temporal-db' || name === 'handover-db') {
        await cluster.databases[name].restart('fast');
        return cluster.whenReady();
      }
      const code = await cluster.restart(name);
      if (code !== 0)
        throw new Error(`${name} ended with ${code}: ${cluster.programs[name]?.log().slice(-2_000)}`);
    },
    usage: () => cluster.usage(),
  };
}

function siteOf(cluster: Cluster): Site {
  const log = () => ['api-1', 'api-2'].map((name) => cluster.programs[name]?.log().slice(-20_000)).join('\n');
  const [id = '', key = ''] = cluster.variable('api', 'CODEC_KEYS').split(':');
  return {
    address: cluster.ingressUrl,
    temporal: cluster.variable('api', 'TEMPORAL_ADDRESS'),
    codecKey: { id, key: Buffer.from(key, 'base64') },
    openDatabase: () => openHandoverDatabase({ url: cluster.variable('api', 'DATABASE_URL'), folder: '' }),
    log,
    stop: () => {},
  };
}
