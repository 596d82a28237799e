import type { Client } from '@temporalio/client';
import { taskQueue } from '../../contract/names.js';
import { isPolled } from '../connection/pollers.js';

/** Resolves while its part answers. */
export type Probe = () => Promise<unknown>;

const withinMs = 1_500;

/** Readiness: Temporal answers for the namespace, and a worker polls the task queue. */
export function temporalProbes(client: Client, queue: string = taskQueue): Record<string, Probe> {
  const { namespace } = client.options;
  const callInTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  return {
    temporal: () => callInTime(() => client.workflowService.describeNamespace({ namespace })),
    worker: async () => {
      if (!(await callInTime(() => isPolled(client, queue, 'workflows')))) throw new Error('no worker polls');
    },
  };
}
