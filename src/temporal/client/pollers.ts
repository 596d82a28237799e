import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { bookingQueueOf, databaseQueueOf, scanQueueOf, taskQueue } from '../../contract/names.js';

const types = proto.temporal.api.enums.v1.TaskQueueType;
/** A long poll lasts a minute, so a worker that runs has polled within this time. */
const polledWithinMs = 75_000;

/** Beside that of workflows, which has activities too. */
export const activityQueues: readonly string[] = [
  bookingQueueOf(taskQueue),
  databaseQueueOf(taskQueue),
  scanQueueOf(taskQueue),
];

/** Whether a worker polls the task queue for workflow or activity tasks. @throws the service's error */
export async function isPolled(client: Client, queue: string, kind: Kind): Promise<boolean> {
  return (await listPollers(client, queue, kind)).length > 0;
}

type Kind = 'workflows' | 'activities';

export interface Poller {
  identity: string;
  /** Null: it has no version. */
  buildId: string | null;
}

/** The workers that poll it. @throws the service's error */
export async function listPollers(
  { workflowService, options: { namespace } }: Client,
  queue: string,
  kind: Kind,
): Promise<Poller[]> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: kind === 'workflows' ? types.TASK_QUEUE_TYPE_WORKFLOW : types.TASK_QUEUE_TYPE_ACTIVITY,
  });
  const since = Date.now() - polledWithinMs;
  return (pollers ?? [])
    .filter(({ lastAccessTime }) => (optionalTsToMs(lastAccessTime) ?? 0) > since)
    .map(({ identity, deploymentOptions }) => ({
      identity: identity ?? '',
      buildId: deploymentOptions?.buildId || null,
    }));
}
