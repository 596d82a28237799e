import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { type Launch, launch } from '../../src/temporal/server/dev-server-process.js';
import { waitUntilServing } from '../../src/temporal/server/health.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { assertNoAbandonedHandlers, installTestRuntime } from './engine-log.js';
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
  /** Closes the connections, ends the server, and fails when a workflow abandoned a handler. */
  stop(): Promise<void>;
}

/** A real server with its state in memory, on a free port, ready with our search attributes. One per test file. */
export async function devServer(
  dataConverter?: DataConverter,
  settings: Launch['settings'] = {},
): Promise<TestDevServer> {
  installTestRuntime();
  const engine = await startInMemory(settings);
  const target = embeddedTarget(engine.address);
  const { namespace } = target;
  const connection = await connectClient(target);
  const nativeConnection = await connectWorker(target);
  await registerSearchAttributes(connection, namespace);
  const encoding = dataConverter === undefined ? {} : { dataConverter };
  const client = new Client({ connection, namespace, ...encoding });
  return {
    target,
    address: engine.address,
    namespace,
    connection,
    nativeConnection,
    client,
    ...encoding,
    async stop() {
      await connection.close();
      await nativeConnection.close();
      await engine.stop();
      assertNoAbandonedHandlers();
    },
  };
}

/** A free port can be lost to another test between choosing and listening: then another one is tried. */
async function startInMemory(
  settings: Launch['settings'] & {},
): Promise<{ address: string; stop(): Promise<void> }> {
  const folder = inject('runFolder');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = join(folder, `engine-${port}.log`);
    const engine = launch({
      binary: inject('devServerPath'),
      port,
      uiPort: null,
      database: null,
      log,
      settings,
    });
    const note = join(folder, `engine-${engine.pid}`);
    await writeFile(note, '');
    const stop = async () => {
      await endProcess(engine.pid, 0);
      await rm(note, { force: true });
    };
    const address = `127.0.0.1:${port}`;
    const trouble = await waitUntilServing(address, 'default', 30_000, engine.ended);
    if (trouble === undefined) return { address, stop };
    await stop();
    if (attempt === 3) throw new Error(trouble);
  }
}
