// Two floors behind HTTP. `bare` answers 204 once it has the body. `signal` answers once Temporal has the event, by
// signalWithStart of a bare workflow whose worker runs in this process. Arguments: which floor, a data folder.
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import Fastify from 'fastify';
import { createLogger } from '../../src/app/log.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { installRuntime } from '../../src/temporal/worker/runtime.js';
import { createWorkflowWorker } from '../../src/temporal/worker/worker.js';
import { floorQueue } from '../floor/edge.js';
import { host } from '../target.js';

const [kind = '', folder = ''] = process.argv.slice(2);
// from now on a signal waits until the engine has started: otherwise the engine would stay
const stopped = once(process, 'SIGTERM');
// a Ctrl-C reaches the whole process group, but the bench ends this process
process.on('SIGINT', () => {});
const stops: (() => Promise<void>)[] = [];
const take = kind === 'signal' ? await signaller() : async () => {};

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/*', async (request, reply) => {
  await take(request.body as Buffer);
  return reply.code(204).send();
});
const url = await app.listen({ host, port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);
await stopped;
await app.close();
for (const stop of stops.reverse()) await stop();
process.exit(0);

async function signaller(): Promise<(body: Buffer) => Promise<void>> {
  const logger = createLogger('warn');
  installRuntime({ log: logger });
  const engine = await startDevServer({
    binary: await provideEngine('dev-server', { onProgress: (line) => logger.warn(line) }),
    folder: join(folder, 'engine'),
    port: 0,
    uiPort: 0,
  });
  stops.push(() => engine.stop());
  const target = embeddedTarget(engine.address);
  const connection = await connectClient(target);
  const nativeConnection = await connectWorker(target);
  const workflows = fileURLToPath(new URL('../floor/workflows.js', import.meta.url));
  const worker = await createWorkflowWorker({
    connection: nativeConnection,
    namespace: target.namespace,
    taskQueue: floorQueue,
    bundle: await bundleWorkflows(workflows, join(folder, 'floor.js')),
    activities: {},
  });
  const working = worker.run();
  stops.push(async () => {
    await connection.close();
    worker.shutdown();
    await working;
    await nativeConnection.close();
  });
  const { workflow } = new Client({ connection, namespace: target.namespace });
  return async (body) => {
    const event = JSON.parse(body.toString()) as { reservationId: number; reservationStatus: number };
    await workflow.signalWithStart('reservation', {
      workflowId: `reservation-${event.reservationId}`,
      taskQueue: floorQueue,
      args: [event.reservationId],
      signal: 'events',
      signalArgs: [[{ reservationStatus: event.reservationStatus }]],
    });
  };
}
