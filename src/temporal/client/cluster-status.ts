import type { Client } from '@temporalio/client';
import { bookingQueueOf, databaseQueueOf, scanQueueOf, taskQueue } from '../../contract/names.js';
import { listPollers, type Poller } from '../connection/pollers.js';
import { grpcStatusOf } from '../connection/unavailable.js';
import { versionsOff } from '../connection/versions-off.js';
import { listStuckWorkflows, type StuckWorkflow } from './stuck-workflows.js';

/** What a Temporal service reports of a deployment. */
export interface TemporalStatus {
  serverVersion: string;
  /** Each task queue, with the workers that have polled it within the last 75 s. */
  workers: { queue: string; pollers: Poller[] }[];
  /** Null: the server knows no such report. */
  stuck: StuckWorkflow[] | null;
  /** What gets new runs: workers of this build, or without a version (null). Absent: workers have no versions. */
  current?: { buildId: string | null };
}

const withinMs = 5_000;

const queues = [
  { queue: taskQueue, kind: 'workflows' },
  { queue: bookingQueueOf(taskQueue), kind: 'activities' },
  { queue: databaseQueueOf(taskQueue), kind: 'activities' },
  { queue: scanQueueOf(taskQueue), kind: 'activities' },
] as const;

/**
 * @param deploymentName of the workers' versions; absent: they have none
 * @throws the service's error
 */
export async function readTemporalStatus(client: Client, deploymentName?: string): Promise<TemporalStatus> {
  const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  const [{ serverVersion }, workers, stuck, current] = await Promise.all([
    inTime(() => client.workflowService.getSystemInfo({})),
    Promise.all(
      queues.map(async ({ queue, kind }) => ({
        queue,
        pollers: await inTime(() => listPollers(client, queue, kind)),
      })),
    ),
    listStuckWorkflows(client, withinMs),
    deploymentName === undefined ? undefined : inTime(() => currentOf(client, deploymentName)),
  ]);
  return { serverVersion: serverVersion ?? 'unknown', workers, stuck, ...(current && { current }) };
}

/** No worker has had a version. */
const notFound = 5;

/** @returns undefined where no worker has had a version */
async function currentOf({ workflowService, options: { namespace } }: Client, deploymentName: string) {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    return { buildId: workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || null };
  } catch (error) {
    if (grpcStatusOf(error) === notFound || versionsOff(error) !== undefined) return undefined;
    throw error;
  }
}
