import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { stringify } from 'yaml';
import { freePorts } from '../../bench/free-ports.js';
import { connectClient, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { loopback } from '../../src/temporal/server/ports.js';
import { cachedServer } from './cluster/temporal-server.js';
import { type TestDevServer, withClients } from './engine.js';
import { installTestRuntime } from './engine-log.js';
import { eventually } from './eventually.js';

const namespace = 'default';

/**
 * The cached Temporal server that the cluster's lane builds, of the compose file's version; undefined where there is none. The dev
 * server cannot move pinned runs.
 */
export const serverBinary = existsSync(cachedServer) ? cachedServer : undefined;

/** Why what needs it is skipped, for the end of a title; empty: it is there. */
export const withoutServer =
  serverBinary === undefined
    ? ' (skipped: the Temporal server is not cached, `npm run test:cluster` builds it)'
    : '';

const composeSettings = new URL('../../docker/temporal/dynamic-config.yaml', import.meta.url);

interface VersionedServer extends TestDevServer {
  /** What it has logged. */
  log(): Promise<string>;
}

/** Settings of one database of a server. */
export type ServerStore = Record<string, unknown>;

const inMemory: ServerStore = {
  pluginName: 'sqlite',
  databaseName: 'default',
  connectAddr: 'localhost',
  connectProtocol: 'tcp',
  connectAttributes: { mode: 'memory', cache: 'private', setup: 'true' },
  maxConns: 1,
  maxIdleConns: 1,
  maxConnLifetime: '1h',
};

/**
 * The real Temporal server with the dynamic configuration of `docker-compose.yml`, ready with our search attributes: an
 * engine with Worker Versioning.
 * @param stores where its state is; absent: in memory
 */
export async function versionedServer(
  binary: string,
  dataConverter?: DataConverter,
  stores = { state: inMemory, visibility: inMemory },
): Promise<VersionedServer> {
  installTestRuntime();
  const folder = await mkdtemp(join(tmpdir(), 'handover-server-'));
  const ports = await freePorts(9);
  await mkdir(join(folder, 'config'));
  await writeFile(join(folder, 'config', 'test.yaml'), stringify(settingsOf(ports, stores)));
  await writeFile(
    join(folder, 'dynamic.yaml'),
    (await readFile(composeSettings, 'utf8')) +
      stringify({ 'frontend.WorkflowPauseEnabled': [{ value: true }] }),
  );
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(binary, ['--root', folder, '--env', 'test', '--allow-no-auth', 'start'], {
    cwd: folder,
    stdio: ['ignore', log, log],
  });
  const address = `${loopback}:${ports[0]}`;
  const stopServer = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const connection = await reachable(address, child, logFile);
    await registerSearchAttributes(connection, namespace);
    const engine = await withClients(connection, { address, namespace, dataConverter, stopServer });
    return { ...engine, log: () => readFile(logFile, 'utf8') };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/** Connects once the server serves the namespace `default`, which it makes. */
async function reachable(address: string, child: ChildProcess, log: string) {
  return eventually(
    'the server serves',
    async () => {
      if (child.exitCode !== null)
        throw new Error(`it ended: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
      const connection = await connectClient(embeddedTarget(address)).catch(() => undefined);
      if (connection === undefined) return undefined;
      await connection.workflowService
        .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') })
        .catch(() => {});
      const isServed = await connection.workflowService
        .describeNamespace({ namespace })
        .then(() => connection.operatorService.listSearchAttributes({ namespace }).then(() => true))
        .catch(() => false);
      if (isServed) return connection;
      await connection.close();
      return undefined;
    },
    60_000,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function settingsOf(
  [frontend, ...rest]: number[],
  { state, visibility }: Record<'state' | 'visibility', ServerStore>,
): object {
  const [frontendMembers, http, history, historyMembers, matching, matchingMembers, worker, workerMembers] =
    rest;
  const rpc = (grpcPort: number | undefined, membershipPort: number | undefined, more = {}) => ({
    rpc: { grpcPort, membershipPort, bindOnLocalHost: true, ...more },
  });
  return {
    log: { stdout: true, level: 'info' },
    persistence: {
      defaultStore: 'state',
      visibilityStore: 'visibility',
      numHistoryShards: 1,
      datastores: { state: { sql: state }, visibility: { sql: visibility } },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: loopback } },
    services: {
      frontend: rpc(frontend, frontendMembers, { httpPort: http }),
      history: rpc(history, historyMembers),
      matching: rpc(matching, matchingMembers),
      worker: rpc(worker, workerMembers),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `localhost:${frontend}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: 'dynamic.yaml', pollInterval: '10s' },
  };
}
