import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { taskQueue } from '../../contract/names.js';
import type { ApiDeps } from '../deps.js';

const withinMs = 1_500;
/** A long poll lasts a minute: a worker that asked within this time is there. */
const polledWithinMs = 75_000;

/** Readiness: Temporal answers for the namespace, and a worker polls the task queue. */
export function temporalProbes(client: Client, queue: string = taskQueue): ApiDeps['probes'] {
  const { namespace } = client.options;
  const ask = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  return {
    temporal: () => ask(() => client.workflowService.describeNamespace({ namespace })),
    worker: async () => {
      const { pollers } = await ask(() =>
        client.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: queue },
          taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        }),
      );
      const since = Date.now() - polledWithinMs;
      if (!pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > since)) {
        throw new Error('no worker polls');
      }
    },
  };
}
