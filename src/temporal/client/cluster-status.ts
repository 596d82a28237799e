import type { Client } from '@temporalio/client';
import { scanQueueOf, taskQueue } from '../../contract/names.js';
import { listPollers } from '../connection/pollers.js';
import { listStuckWorkflows, type StuckWorkflow } from './stuck-workflows.js';

/** What a Temporal service reports of a deployment. */
export interface TemporalStatus {
  serverVersion: string;
  /** Each worker that has polled within the last 75 s; `buildId` null: it has no version. */
  workers: { queue: string; identity: string; buildId: string | null }[];
  /** Null: the server does not report them. */
  stuck: StuckWorkflow[] | null;
}

const withinMs = 5_000;

/** @throws the service's error */
export async function readTemporalStatus(client: Client): Promise<TemporalStatus> {
  const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  const { serverVersion } = await inTime(() => client.workflowService.getSystemInfo({}));
  const queues = [
    { queue: taskQueue, kind: 'workflows' },
    { queue: scanQueueOf(taskQueue), kind: 'activities' },
  ] as const;
  const workers = [];
  for (const { queue, kind } of queues)
    for (const poller of await inTime(() => listPollers(client, queue, kind)))
      workers.push({ queue, ...poller });
  return { serverVersion: serverVersion ?? 'unknown', workers, stuck: await listStuckWorkflows(client) };
}
