import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { createLogger } from '../../src/app/log.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { installRuntime } from '../../src/temporal/worker/runtime.js';
import { replaceWorkflowThread } from '../../src/temporal/worker/workflow-thread.js';

const logger = createLogger('warn');
let installed = false;

interface Engine {
  client: Client;
  /** For workers. */
  connection: NativeConnection;
  namespace: string;
}

/** Runs `use` with an embedded engine of its own in `folder`, for workers in this process. */
export async function withEngine<T>(folder: string, use: (engine: Engine) => Promise<T>): Promise<T> {
  if (!installed) installRuntime({ log: logger });
  installed = true;
  replaceWorkflowThread({ log: logger });
  const binary = await provideEngine('dev-server', { onProgress: (line) => logger.warn(line) });
  const engine = await startDevServer({ binary, folder, port: 0, uiPort: 0 });
  const target = embeddedTarget(engine.address);
  const { namespace } = target;
  const connection = await connectClient(target);
  const native = await connectWorker(target);
  try {
    await registerSearchAttributes(connection, namespace);
    return await use({ client: new Client({ connection, namespace }), connection: native, namespace });
  } finally {
    await connection.close();
    await native.close();
    await engine.stop();
  }
}
