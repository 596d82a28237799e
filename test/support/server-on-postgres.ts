import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { fromRoot } from './cluster/compose.js';
import { runOnce } from './cluster/program.js';
import type { PostgresServer } from './postgres-server.js';
import { type ServerStore, versionedServer } from './versioned-server.js';

/** Of the server, as the script of `docker-compose.yml` names them. */
export const temporalDatabases = ['temporal', 'temporal_visibility'] as const;

/** The real Temporal server, with persistence and visibility in databases of `postgres`. */
export async function serverOnPostgres(
  binary: string,
  postgres: PostgresServer,
  dataConverter: DataConverter,
): ReturnType<typeof versionedServer> {
  await createSchema(binary, new URL(postgres.url));
  const [state, visibility] = temporalDatabases.map((name) => storeIn(name, new URL(postgres.url)));
  return versionedServer(binary, dataConverter, { state: state ?? {}, visibility: visibility ?? {} });
}

/** By the script of the compose file. */
async function createSchema(binary: string, { hostname, port, username }: URL): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-schema-'));
  const env = {
    PATH: [dirname(binary), process.env.PATH].join(delimiter),
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: hostname,
    SQL_PORT: port,
    SQL_USER: username,
    SQL_PASSWORD: anyPassword,
  };
  const script = fromRoot('docker/temporal/schema.sh');
  const log = join(folder, 'log');
  await runOnce({ name: 'temporal-schema', command: 'sh', args: [script], env, cwd: folder, log });
  await rm(folder, { recursive: true, force: true });
}

/** The test's Postgres lets everybody in. */
const anyPassword = 'none';

function storeIn(databaseName: string, { host, username }: URL): ServerStore {
  return {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: host,
    connectProtocol: 'tcp',
    user: username,
    password: anyPassword,
    maxConns: 10,
    maxIdleConns: 10,
    maxConnLifetime: '1h',
  };
}
