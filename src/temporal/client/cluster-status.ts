import type { Client } from '@temporalio/client';
import { taskQueue } from '../../contract/names.js';
import { engineCode } from '../connection/unavailable.js';
import { versionsOff } from '../connection/versions-off.js';
import { inTime } from './calls.js';
import { activityQueues, listPollers, type Poller } from './pollers.js';
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
  { queue: taskQueue, kind: 'workflows' as const },
  ...activityQueues.map((queue) => ({ queue, kind: 'activities' as const })),
];

/**
 * @param deploymentName of the workers' versions; absent: they have none
 * @throws the service's error
 */
export async function readTemporalStatus(client: Client, deploymentName?: string): Promise<TemporalStatus> {
  const [{ serverVersion }, workers, stuck, current] = await Promise.all([
    inTime(client, withinMs, () => client.workflowService.getSystemInfo({})),
    Promise.all(
      queues.map(async ({ queue, kind }) => ({
        queue,
        pollers: await inTime(client, withinMs, () => listPollers(client, queue, kind)),
      })),
    ),
    listStuckWorkflows(client, withinMs),
    deploymentName === undefined
      ? undefined
      : inTime(client, withinMs, () => currentOf(client, deploymentName)),
  ]);
  return { serverVersion: serverVersion ?? 'unknown', workers, stuck, ...(current && { current }) };
}

/** @returns undefined where no worker has had a version */
async function currentOf({ workflowService, options: { namespace } }: Client, deploymentName: string) {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    return { buildId: workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || null };
  } catch (error) {
    if (engineCode(error) === 'NOT_FOUND' || versionsOff(error) !== undefined) return undefined;
    throw error;
  }
}
