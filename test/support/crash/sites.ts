import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../src/engine/ports.js';
import type { Random } from '../../../src/sandbox/traffic/random.js';
import { callbackSecret } from '../callbacks.js';
import { eventually } from '../eventually.js';
import type { Deployment, Run } from '../process.js';
import { keys } from '../sandbox.js';

/** A deployment of the built product whose processes can be killed, and come back on the same addresses. */
export interface Site {
  address: string;
  /** Kills (SIGKILL) a process of the product and starts it again. */
  kill(random: Random): Promise<void>;
  killEngine(): Promise<void>;
  /**
   * Where there is more to lose, in the middle: the database's server falls away for a moment, and again while the active
   * relay is killed.
   */
  loseDatabase?(): Promise<void>;
  /** What the kills were for: the standby took over, and the like. @throws */
  expectMore?(): void;
}

/** Generous: a busy machine starts slowly. */
const startsWithinMs = 240_000;
export const token = 'manager-token-of-this-test';

/** `handover up`: receiver, relay, worker and status API in one process, and its engine. */
export async function embeddedSite(deployment: Deployment, platformUrl: string): Promise<Site> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = {
    HANDOVER_PORT: String(port),
    ...common(platformUrl),
    HANDOVER_TOKENS: `manager:${token}`,
  };
  const start = () => deployment.run(['up', '--no-demo'], env);
  let up = start();
  await up.says(/Token manager/, startsWithinMs);
  return {
    address,
    async kill() {
      await up.kill();
      up = start();
    },
    async killEngine() {
      await killEngineOf(deployment);
      await up.ended; // it says that its engine is gone, and ends
      up = start();
    },
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
): Promise<Site> {
  const [port, enginePort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const shared = {
    ...common(platformUrl),
    DATABASE_URL: database.url,
    BLOB_URL: join(deployment.folder, 'photos'),
    CODEC_KEYS: `one:${randomBytes(32).toString('base64')}`,
    TEMPORAL_ADDRESS: `127.0.0.1:${enginePort}`,
  };
  const startEngine = () => deployment.run(['engine'], { HANDOVER_TEMPORAL_PORT: String(enginePort) });
  const startApi = () =>
    deployment.run(['api'], { ...shared, HANDOVER_PORT: String(port), HANDOVER_TOKENS: `manager:${token}` });
  const startWorker = () => deployment.run(['worker'], shared);
  let engine = startEngine();
  await engine.says(/Temporal on/, startsWithinMs);
  let api = startApi();
  await api.says(/status API and receiver on/, startsWithinMs);
  const workers = [startWorker(), startWorker()] as [Run, Run];
  await Promise.all(workers.map((worker) => worker.says(/worker and relay run/, startsWithinMs)));
  let takenOver = 0;
  const begins = 'this relay is the active one';
  const isActive = ({ stderr }: Run) =>
    stderr.lastIndexOf(begins) > stderr.lastIndexOf('this relay is no longer the active one');
  const timesBegun = () => workers.flatMap(({ stderr }) => stderr.split(begins).slice(1)).length;
  const killActive = async () => {
    const active = isActive(workers[0]) ? 0 : 1;
    const standby = workers[1 - active] as Run;
    await workers[active]?.kill();
    await eventually('the other relay takes over', () => isActive(standby), 120_000);
    takenOver++;
    workers[active] = startWorker();
    await workers[active]?.says(/worker and relay run/, startsWithinMs);
  };
  return {
    address,
    async kill(random) {
      if (random.chance(0.3)) {
        await api.kill();
        api = startApi();
        return;
      }
      await killActive();
    },
    async killEngine() {
      await killEngineOf(deployment);
      await engine.ended;
      engine = startEngine();
    },
    async loseDatabase() {
      const before = timesBegun();
      await database.restart();
      await eventually('a relay is active again', () => timesBegun() > before, 120_000);
      await Promise.all([database.restart(), killActive()]);
    },
    expectMore() {
      if (takenOver < 3) throw new Error(`the standby took over ${takenOver} times`);
    },
  };
}

function common(platformUrl: string): Record<string, string> {
  return {
    PLATFORM_BASE_URL: platformUrl,
    PLATFORM_CHANNEL_API_KEY: keys.channel,
    PLATFORM_SUPPLIER_API_KEY: keys.supplier,
    CALLBACK_SECRETS: callbackSecret,
  };
}

async function killEngineOf(deployment: Deployment): Promise<void> {
  const pid = deployment.enginePid();
  if (pid === undefined) throw new Error('no engine runs');
  process.kill(pid, 'SIGKILL');
}

/** A database on somebody else's server: only its connections are this test's to cut. */
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
