import type { Client } from '@temporalio/client';
import { bookingQueueOf, databaseQueueOf, scanQueueOf, taskQueue } from '../../contract/names.js';
import { listPollers, type Poller } from '../connection/pollers.js';
import { listStuckWorkflows, type StuckWorkflow } from './stuck-workflows.js';

/** What a Temporal service reports of a deployment. */
export interface TemporalStatus {
  serverVersion: string;
  /** Each task queue, with the workers that have polled it within the last 75 s. */
  workers: { queue: string; pollers: Poller[] }[];
  /** Null: the server knows no such report. */
  stuck: StuckWorkflow[] | null;
}

const withinMs = 5_000;

const queues = [
  { queue: taskQueue, kind: 'workflows' },
  { queue: bookingQueueOf(taskQueue), kind: 'activities' },
  { queue: databaseQueueOf(taskQueue), kind: 'activities' },
  { queue: scanQueueOf(taskQueue), kind: 'activities' },
] as const;

/** @throws the service's error */
export async function readTemporalStatus(client: Client): Promise<TemporalStatus> {
  const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  const [{ serverVersion }, workers, stuck] = await Promise.all([
    inTime(() => client.workflowService.getSystemInfo({})),
    Promise.all(
      queues.map(async ({ queue, kind }) => ({
        queue,
        pollers: await inTime(() => listPollers(client, queue, kind)),
      })),
    ),
    listStuckWorkflows(client),
  ]);
  return { serverVersion: serverVersion ?? 'unknown', workers, stuck };
}
