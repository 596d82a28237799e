import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const types = proto.temporal.api.enums.v1.TaskQueueType;
/** A long poll lasts a minute, so a worker that runs has polled within this time. */
const polledWithinMs = 75_000;

/** Whether a worker polls the task queue for workflow or activity tasks. @throws the service's error */
export async function isPolled(
  { workflowService, options: { namespace } }: Client,
  queue: string,
  kind: 'workflows' | 'activities',
): Promise<boolean> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: kind === 'workflows' ? types.TASK_QUEUE_TYPE_WORKFLOW : types.TASK_QUEUE_TYPE_ACTIVITY,
  });
  const since = Date.now() - polledWithinMs;
  return pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > since) ?? false;
}
