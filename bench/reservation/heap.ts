import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';
import { reservationWorkflow, reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import { eventsSignal, startOptions, viewQuery } from '../../src/contract/reservation.js';
import { builtBundle } from '../../src/temporal/worker/bundle.js';
import { createWorkflowWorker } from '../../src/temporal/worker/worker.js';
import { Callbacks, policy } from './events.js';
import { withEngine } from './with-engine.js';

/**
 * Bytes of heap in a worker for one open reservation after its handover: the difference between none and `count` of
 * them in the worker's cache, after a garbage collection.
 */
export async function heapPerReservation(count: number, folder: string): Promise<number> {
  // with it the SDK runs workflows on this thread, whose heap can be measured
  process.env.TEMPORAL_DEBUG = '1';
  return withEngine(folder, async ({ client, connection, namespace }) => {
    const record = async () => ({});
    const worker = await createWorkflowWorker({
      connection,
      namespace,
      taskQueue,
      bundle: builtBundle(),
      activities: { record },
      directRows: { store: record, client, isOffered: true },
      maxCachedWorkflows: count + 100,
    });
    return worker.runUntil(async () => {
      for (let id = 1; id <= 50; id++) await open(client, id);
      const before = await heap();
      for (let id = 51; id <= 50 + count; id++) await open(client, id);
      return ((await heap()) - before) / count;
    });
  });
}

/** Registers, dispatches and hands over one reservation. Its view is read at the end, so it is in the worker's cache. */
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
  // objects of the last answers can be collected only after some turns of the event loop
  for (let round = 0; round < 3; round++) {
    await sleep(300);
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}
