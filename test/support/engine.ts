import { existsSync } from 'node:fs';
import { Client, type Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { NativeConnection, WorkflowBundlePath } from '@temporalio/worker';
import { inject } from 'vitest';
import {
  connectClient,
  connectWorker,
  embeddedTarget,
  type TemporalTarget,
} from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import type { Launch } from '../../src/temporal/server/dev-server-process.js';
import { startDevServer } from './dev-server.js';
import { assertNoAbandonedHandlers, installTestRuntime } from './engine-log.js';
import { newNamespace } from './namespace.js';
import { TimeSkippingEnv } from './time-skipping-env.js';

/** The run's one bundle of `workflows/`. */
export function workflowBundle(): WorkflowBundlePath {
  const codePath = inject('workflowBundlePath');
  if (!existsSync(codePath)) throw new Error('the workflows did not bundle; the start of this run says why');
  return { codePath };
}

/**
 * A time-skipping server, ready with our search attributes. Its time is global: one per test file, tests in it one
 * after another. `teardown()` ends it and fails when a workflow abandoned a handler.
 */
export async function timeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  installTestRuntime();
  const env = await TimeSkippingEnv.start(inject('testServerPath'));
  await registerSearchAttributes(env.connection, env.namespace ?? 'default');
  return env;
}

export interface TestDevServer {
  target: TemporalTarget;
  /** `127.0.0.1:41234` */
  address: string;
  namespace: string;
  connection: Connection;
  nativeConnection: NativeConnection;
  client: Client;
  /** The client's; a worker beside it takes it too. */
  dataConverter?: DataConverter;
  /** Closes the connections, ends a server of its own, and fails when a workflow abandoned a handler. */
  stop(): Promise<void>;
}

/**
 * A namespace of the caller's own on the run's one real server, or with `settings` (`{}` too) the namespace `default` of
 * a server of its own; ready with our search attributes. State is in memory.
 */
export async function devServer(
  dataConverter?: DataConverter,
  settings?: Launch['settings'],
): Promise<TestDevServer> {
  installTestRuntime();
  const own = settings === undefined ? undefined : await ownDevServer(settings);
  const address = own?.address ?? inject('devServerAddress');
  const connection = await connectClient(embeddedTarget(address));
  if (own !== undefined) await registerSearchAttributes(connection, 'default');
  const namespace = own === undefined ? await newNamespace(connection, 'test') : 'default';
  return withClients(connection, {
    address,
    namespace,
    dataConverter,
    stopServer: async () => own?.stop(),
  });
}

interface ReadyServer {
  address: string;
  namespace: string;
  dataConverter: DataConverter | undefined;
  stopServer(): Promise<void>;
}

/** The connections and the client of a server that is ready. */
export async function withClients(
  connection: Connection,
  { address, namespace, dataConverter, stopServer }: ReadyServer,
): Promise<TestDevServer> {
  const target = embeddedTarget(address, namespace);
  const nativeConnection = await connectWorker(target);
  const encoding = dataConverter === undefined ? {} : { dataConverter };
  return {
    target,
    address,
    namespace,
    connection,
    nativeConnection,
    client: new Client({ connection, namespace, ...encoding }),
    ...encoding,
    async stop() {
      await connection.close();
      await nativeConnection.close();
      await stopServer();
      assertNoAbandonedHandlers();
    },
  };
}

const ownDevServer = (settings: Launch['settings']) =>
  startDevServer({ binary: inject('devServerPath'), folder: inject('runFolder'), settings });
