// The floor as a process of its own: engine, bare workflow and edge, composed as in the product. bench/floor.ts starts it
// with a data folder and the address of the platform.
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { Pool } from 'undici';
import { createLogger } from '../../src/app/log.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { installRuntime } from '../../src/temporal/worker/runtime.js';
import { createWorkflowWorker } from '../../src/temporal/worker/worker.js';
import { floorActivities } from './activities.js';
import { floorQueue, startEdge } from './edge.js';

const [folder = '', platformUrl = ''] = process.argv.slice(2);
// from now on a signal waits until the engine has started: otherwise the engine would stay
const stopped = once(process, 'SIGTERM');
// a Ctrl-C reaches the whole process group, but the bench ends this process
process.on('SIGINT', () => {});
const logger = createLogger('warn');
// the floor uses the SDK's own workflow thread
installRuntime({ log: logger });

const engine = await startDevServer({
  binary: await provideEngine('dev-server', { onProgress: (line) => logger.warn(line) }),
  folder: join(folder, 'engine'),
  port: 0,
  uiPort: 0,
});
const target = embeddedTarget(engine.address);
const connection = await connectClient(target);
const nativeConnection = await connectWorker(target);
const calls = new Pool(platformUrl, { connections: 16, pipelining: 1 });
const worker = await createWorkflowWorker({
  connection: nativeConnection,
  namespace: target.namespace,
  taskQueue: floorQueue,
  bundle: await bundleWorkflows(
    fileURLToPath(new URL('workflows.js', import.meta.url)),
    join(folder, 'floor.js'),
  ),
  activities: floorActivities(calls),
});
const working = worker.run();
const apiUrl = await startEdge(new Client({ connection, namespace: target.namespace }));

process.stdout.write(
  `${JSON.stringify({ apiUrl, temporalAddress: engine.address, enginePid: engine.pid })}\n`,
);
await stopped;
worker.shutdown();
await working;
await connection.close();
await nativeConnection.close();
await engine.stop();
process.exit(0);
