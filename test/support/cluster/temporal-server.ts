import { rename } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedBinary, cacheRoot, fillCache } from '../../../src/temporal/server/provision/cache.js';
import { findOnPath, isExecutable } from '../../../src/temporal/server/provision/executables.js';
import { run } from '../../../src/temporal/server/provision/run.js';
import { postgresPrograms } from '../postgres-server.js';
import { composedServices } from './compose.js';

/** The server of docker-compose.yml, and its tool for databases. */
export interface ServerPrograms {
  server: string;
  /** The folder of `temporal-sql-tool`. */
  tools: string;
}

const { version = '' } = composedServices().temporal ?? {};
const spec = {
  title: `Temporal server ${version}`,
  cacheName: `temporal-server-${version}`,
  binary: 'temporal-server',
};
/** Where the cache has it, or will have it. */
export const cachedServer = cachedBinary(cacheRoot(process.env), spec);
const programsOf = (server: string): ServerPrograms => ({ server, tools: dirname(server) });

/** Why a cluster cannot run on this machine; undefined: it can, possibly after minutes of building. */
export async function whyNoCluster(): Promise<string | undefined> {
  if (platform() !== 'linux') return 'its processes have loopback addresses of their own, as Linux has them';
  if ((await postgresPrograms()) === undefined) return 'no programs of Postgres';
  if (await isExecutable(cachedServer)) return undefined;
  const go = await findOnPath('go', process.env.PATH ?? '');
  return go === undefined ? `no ${spec.title} in the cache, and without Go it cannot be built` : undefined;
}

/** Builds the server where the cache has none: about six minutes, once. */
export async function provideServer(): Promise<ServerPrograms> {
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const server = await fillCache(cacheRoot(process.env), spec, onProgress, async (folder) => {
    const module = 'go.temporal.io/server';
    const commands = { server: 'cmd/server', sql: 'cmd/tools/sql' };
    const packages = Object.values(commands).map((command) => `${module}/${command}@v${version}`);
    await run('go', ['install', ...packages], {
      env: process.env,
      settings: { GOBIN: folder, GOTOOLCHAIN: 'auto', GOFLAGS: '' },
      cwd: folder,
      progress: `${spec.title}: building it with Go (once, about six minutes)`,
      onProgress,
    });
    await rename(join(folder, 'sql'), join(folder, 'temporal-sql-tool'));
    await rename(join(folder, 'server'), join(folder, spec.binary));
  });
  return programsOf(server);
}
