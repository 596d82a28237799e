import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePorts } from '../../../bench/free-ports.js';
import type { Random } from '../../../src/sandbox/traffic/random.js';
import { shardCount } from '../../../src/store/callbacks/shard.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../../src/store/handover.js';
import type { CodecKey } from '../../../src/store/sealing/codec-key.js';
import { isAlive } from '../../../src/temporal/server/process-info.js';
import { callbackSecret } from '../callbacks.js';
import { eventually } from '../eventually.js';
import type { Deployment } from '../process.js';
import { keys } from '../sandbox.js';
import { shardEntries, shardsIn } from './shards-in-log.js';
import { Supervised } from './supervised.js';

/** A deployment of the built product. */
export interface Site {
  address: string;
  /** Of Temporal. */
  temporal: string;
  /** It wraps the data keys, under which Temporal stores everything. */
  codecKey: CodecKey;
  /** Handover's database, which has the data keys; at the end, because an embedded one serves one process. */
  openDatabase(): Promise<HandoverDatabase>;
  /** The end of what the API's process has logged. */
  log(): string;
  /** What ends is not started again. */
  stop(): void;
}

/** One whose processes can be killed, and come back on the same addresses. */
export interface CrashSite extends Site {
  /** Kills (SIGKILL) a process of the product and starts it again. */
  kill(random: Random): Promise<void>;
  killEngine(): Promise<void>;
  /**
   * Where there is more to lose, in the middle: the database's server falls away for a moment, and again while a
   * relay is killed.
   */
  loseDatabase?(): Promise<void>;
  /** Where there are two relays: stops the process of one (SIGSTOP), and resolves when the other has all shards. */
  freezeRelay?(): Promise<Frozen>;
  /** What the kills were for: the other relay took over, and the like. @throws */
  expectMore?(): void;
}

/** A process of the product that does not run. */
interface Frozen {
  /** Instant. */
  at: number;
  tookOverAfterMs: number;
  /** Runs again (SIGCONT); resolves when it has its share. */
  thaw(): Promise<void>;
}

export const token = 'manager-token-of-this-test';

/** `handover up`: receiver, relay, worker and status API in one process, and its engine. */
export async function embeddedSite(deployment: Deployment, platformUrl: string): Promise<CrashSite> {
  const [port, enginePort] = await freePorts(2);
  const address = `http://127.0.0.1:${port}`;
  const codecKey = newCodecKey();
  const env = {
    HANDOVER_PORT: String(port),
    HANDOVER_TEMPORAL_PORT: String(enginePort),
    ...common(platformUrl, codecKey),
    HANDOVER_TOKENS: `manager:${token}`,
  };
  const up = new Supervised(() => deployment.run(['up', '--no-demo'], env));
  await up.says(/Token manager/);
  return {
    address,
    temporal: `127.0.0.1:${enginePort}`,
    codecKey,
    async openDatabase() {
      up.stop();
      await up.kill();
      return openHandoverDatabase({ folder: join(deployment.dataDir, 'db') });
    },
    async kill(random) {
      // while it starts, or some time after: else nothing would ever get done on a slow machine
      if (random.chance(0.6)) {
        await up.says(/Token manager/);
        await sleep(random.unit() * 5_000);
      }
      await up.kill();
    },
    log: () => up.stderr + deployment.log(),
    // it says that its engine is gone, and ends
    killEngine: () => killEngineOf(deployment),
    stop: () => up.stop(),
  };
}

/** What a cluster's processes share. */
export interface SiteDatabase {
  url: string;
  /** Resolves when it takes connections again. */
  restart(): Promise<void>;
}

/** `engine`, `api` and two `worker`s on a Postgres server. */
export async function clusterSite(
  deployment: Deployment,
  platformUrl: string,
  database: SiteDatabase,
): Promise<CrashSite> {
  const [port, enginePort] = await freePorts(2);
  const address = `http://127.0.0.1:${port}`;
  const codecKey = newCodecKey();
  const shared = {
    ...common(platformUrl, codecKey),
    DATABASE_URL: database.url,
    BLOB_URL: join(deployment.folder, 'photos'),
    TEMPORAL_ADDRESS: `127.0.0.1:${enginePort}`,
  };
  const supervised = (args: string[], own: Record<string, string>) =>
    new Supervised(() => deployment.run(args, own));
  const engine = supervised(['engine'], { HANDOVER_TEMPORAL_PORT: String(enginePort) });
  await engine.says(/Temporal on/);
  const ofApi = { HANDOVER_PORT: String(port), HANDOVER_TOKENS: `manager:${token}` };
  const api = supervised(['api'], { ...shared, ...ofApi });
  await api.says(/status API and receiver on/);
  const workers = [supervised(['worker'], shared), supervised(['worker'], shared)] as const;
  await Promise.all(workers.map((worker) => worker.says(/worker and relay run/)));
  let takenOver = 0;
  const shardsOf = ({ stderr }: Supervised) => shardsIn(stderr) ?? 0;
  const timesBegun = () => workers.flatMap(({ stderr }) => shardEntries(stderr)).length;
  /** Each shard has a worker: the other, or (where that reconnects meanwhile) the one that has started again. */
  const areDivided = () => shardsOf(workers[0]) + shardsOf(workers[1]) === shardCount;
  const killRelay = async () => {
    const [killed, other] = takenOver % 2 === 0 ? workers : [workers[1], workers[0]];
    await killed.kill();
    await eventually('its shards are taken over', areDivided, 120_000).catch((error: Error) => {
      const [ofKilled, ofOther] = [killed, other].map(({ stderr }) => stderr.slice(-4_000));
      throw new Error(`${error.message}; the killed one's log: ${ofKilled}\nthe other's: ${ofOther}`);
    });
    takenOver++;
    await killed.says(/worker and relay run/);
  };
  return {
    address,
    temporal: `127.0.0.1:${enginePort}`,
    codecKey,
    openDatabase: () => openHandoverDatabase({ url: database.url, folder: '' }),
    kill: (random) => (random.chance(0.3) ? api.kill() : killRelay()),
    killEngine: () => killEngineOf(deployment),
    async loseDatabase() {
      const before = timesBegun();
      await database.restart();
      await eventually('a relay is active again', () => timesBegun() > before, 120_000);
      await Promise.all([database.restart(), killRelay()]);
    },
    async freezeRelay() {
      const [frozen, standby] = workers;
      await eventually('both have shards', () => workers.every((worker) => shardsOf(worker) > 0), 60_000);
      const at = Date.now();
      frozen.signal('SIGSTOP');
      const hasAll = () => shardsOf(standby) === shardCount;
      await eventually('the other relay takes all shards over', hasAll, 60_000);
      return {
        at,
        tookOverAfterMs: Date.now() - at,
        async thaw() {
          frozen.signal('SIGCONT');
          const isSpread = () => workers.every((worker) => shardsOf(worker) === shardCount / 2);
          await eventually('it has its share again', isSpread, 60_000);
        },
      };
    },
    log: () => api.stderr,
    expectMore() {
      if (takenOver < 3) throw new Error(`the other relay took over ${takenOver} times`);
    },
    stop() {
      for (const each of [engine, api, ...workers]) each.stop();
    },
  };
}

const newCodecKey = (): CodecKey => ({ id: 'one', key: randomBytes(32) });

function common(platformUrl: string, { id, key }: CodecKey): Record<string, string> {
  return {
    CODEC_KEYS: `${id}:${Buffer.from(key).toString('base64')}`,
    PLATFORM_BASE_URL: platformUrl,
    PLATFORM_CHANNEL_API_KEY: keys.channel,
    PLATFORM_SUPPLIER_API_KEY: keys.supplier,
    CALLBACK_SECRETS: callbackSecret,
  };
}

async function killEngineOf(deployment: Deployment): Promise<void> {
  const pid = await eventually(
    'an engine runs',
    () => {
      const known = deployment.enginePid();
      return known !== undefined && isAlive(known) && known;
    },
    120_000,
  );
  process.kill(pid, 'SIGKILL');
}

/** A database on a shared server: only its connections are this test's to cut. */
export function lent(url: string): SiteDatabase {
  return { url, restart: () => cutOff(url) };
}

/** Every connection ends, and for two seconds there is no new one. */
async function cutOff(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const server = new URL(databaseUrl);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await sleep(2_000);
  } finally {
    await client.query(`alter database ${name} allow_connections true`);
    await client.end();
  }
}
