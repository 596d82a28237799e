import type { Client } from '@temporalio/client';
import { taskQueue } from '../../contract/names.js';
import { inTime } from './calls.js';
import { isPolled } from './pollers.js';

/** Resolves while its part answers. */
export type Probe = () => Promise<unknown>;

const withinMs = 1_500;

/** Readiness: Temporal answers for the namespace, and a worker polls the task queue. */
export function temporalProbes(client: Client, queue: string = taskQueue): Record<string, Probe> {
  const { namespace } = client.options;
  return {
    temporal: () => inTime(client, withinMs, () => client.workflowService.describeNamespace({ namespace })),
    worker: async () => {
      if (!(await inTime(client, withinMs, () => isPolled(client, queue, 'workflows'))))
        throw new Error('no worker polls');
    },
  };
}
