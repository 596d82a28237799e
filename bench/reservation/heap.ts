import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@temporalio/client';
import { createLogger } from '../../src/app/log.js';
import { reservationWorkflow, reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import { eventsSignal, startOptions, viewQuery } from '../../src/contract/reservation.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { builtBundle } from '../../src/temporal/worker/bundle.js';
import { installRuntime } from '../../src/temporal/worker/runtime.js';
import { createWorker } from '../../src/temporal/worker/worker.js';
import { replaceWorkflowThread } from '../../src/temporal/worker/workflow-thread.js';
import { Callbacks, policy } from './events.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const logger = createLogger('warn');
let installed = false;

/**
 * Bytes of heap that a worker keeps for one open, handed over reservation: the difference between none and `count` of
 * them in its cache, after a collection.
 */
export async function heapPerReservation(count: number, folder: string): Promise<number> {
  if (!installed) installRuntime({ log: logger });
  installed = true;
  replaceWorkflowThread({ log: logger });
  // the SDK runs workflows on this very thread then, whose heap can be read
  process.env.TEMPORAL_DEBUG = '1';
  const binary = await provideEngine('dev-server', { onProgress: (line) => logger.warn(line) });
  const engine = await startDevServer({ binary, folder, port: 0, uiPort: 0 });
  const target = embeddedTarget(engine.address);
  const connection = await connectClient(target);
  const nativeConnection = await connectWorker(target);
  try {
    await registerSearchAttributes(connection, target.namespace);
    const worker = await createWorker({
      connection: nativeConnection,
      namespace: target.namespace,
      taskQueue,
      bundle: builtBundle(),
      activities: { record: async () => ({ posts: false }) },
      maxCachedWorkflows: count + 100,
    });
    const client = new Client({ connection, namespace: target.namespace });
    return await worker.runUntil(async () => {
      for (let id = 1; id <= 50; id++) await open(client, id);
      const before = await heap();
      for (let id = 51; id <= 50 + count; id++) await open(client, id);
      return ((await heap()) - before) / count;
    });
  } finally {
    await connection.close();
    await nativeConnection.close();
    await engine.stop();
  }
}

/** Registered, dispatched, handed over; in the worker's cache when its view says so. */
async function open(client: Client, reservationId: number): Promise<void> {
  const callbacks = new Callbacks(reservationId);
  const events = [callbacks.of(5, { channel: 'registration' })];
  for (const code of [10, 15]) events.push(callbacks.of(code), callbacks.status(code));
  await client.workflow.signalWithStart(reservationWorkflow, {
    ...startOptions({ reservationId, policy }, taskQueue),
    signal: eventsSignal,
    signalArgs: [{ events, policy }],
  });
  await client.workflow.getHandle(reservationWorkflowId(reservationId)).query(viewQuery);
}

async function heap(): Promise<number> {
  // what the last answers left behind goes with the turns of the loop
  for (let round = 0; round < 3; round++) {
    await sleep(300);
    collect();
  }
  return process.memoryUsage().heapUsed;
}
