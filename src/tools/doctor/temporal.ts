import { Client, type Connection, isGrpcServiceError } from '@temporalio/client';
import { scanQueueOf, taskQueue } from '../../contract/names.js';
import { connectClient, type TemporalTarget } from '../../temporal/connection/connection.js';
import { isPolled } from '../../temporal/connection/pollers.js';
import { missingSearchAttributes } from '../../temporal/search-attributes.js';
import { checking, type Finding } from './finding.js';

const withinMs = 10_000;

/** A Temporal service: namespace, search attributes, and who polls. Asks alone. */
export async function* checkTemporal(target: TemporalTarget): AsyncGenerator<Finding> {
  const check = checking('temporal', 'service');
  let connection: Connection;
  try {
    connection = await connectClient(target);
  } catch (error) {
    yield check.fail((error as Error).message);
    return;
  }
  try {
    yield check.ok(`answers at ${target.address}`);
    yield* inside(new Client({ connection, namespace: target.namespace }));
  } finally {
    await connection.close();
  }
}

async function* inside(client: Client): AsyncGenerator<Finding> {
  const { namespace } = client.options;
  const inTime = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, ask);
  const named = checking('temporal', 'namespace');
  try {
    const { config } = await inTime(() => client.workflowService.describeNamespace({ namespace }));
    const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    yield named.ok(`${namespace}, keeps ended workflows for ${Math.round(seconds / 3_600)} h`);
  } catch (error) {
    yield named.fail(`${namespace} is not served (${codeOf(error)})`, {
      todo: 'set TEMPORAL_NAMESPACE to one that is there, or create it; check TEMPORAL_API_KEY',
    });
    return;
  }
  const attributes = checking('temporal', 'search attributes');
  try {
    const missing = await inTime(() => missingSearchAttributes(client.connection, namespace));
    if (missing.length === 0) yield attributes.ok('all there');
    else
      yield attributes.warn(`not there yet: ${missing.join(', ')}`, {
        todo: 'the next start registers them, where the service allows it; else register them by hand',
      });
  } catch (error) {
    if (isGrpcServiceError(error)) yield attributes.skip(`the service does not list them (${codeOf(error)})`);
    else
      yield attributes.fail((error as Error).message, {
        todo: 'use another namespace, or rename what is in the way',
      });
  }
  const polled = [
    { queue: taskQueue, kind: 'workflows' },
    { queue: taskQueue, kind: 'activities' },
    { queue: scanQueueOf(taskQueue), kind: 'activities' },
  ] as const;
  for (const { queue, kind } of polled) {
    const worker = checking('temporal', `worker of ${queue}, ${kind}`);
    try {
      if (await inTime(() => isPolled(client, queue, kind))) yield worker.ok('polls');
      else
        yield worker.warn('nobody polls', {
          todo: 'start `handover worker` (or `npm start`) with the same namespace; before going live that is expected',
        });
    } catch (error) {
      yield worker.fail(`cannot be asked (${codeOf(error)})`);
    }
  }
}

/** gRPC's; its text may name what nobody else has to know. */
function codeOf(error: unknown): string {
  if (!isGrpcServiceError(error)) return error instanceof Error ? error.name : 'unknown';
  return `gRPC status ${error.code}`;
}
