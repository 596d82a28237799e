import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { newestAcceptedRun, type Run } from './accepted-run.js';
import { callTemporal } from './calls.js';

type Start = Omit<WorkflowStartOptions, 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;

/**
 * Starts a workflow whose id stands for one request, once. Starts of that id that were
 * refused as not encrypted do not count.
 * @returns the run that the id has, open or ended; null: it has one that cannot be read
 * @throws `EngineUnavailableError`
 */
export async function startFirst(
  client: Client,
  withinMs: number,
  type: string,
  start: Start,
): Promise<'started' | Run | null> {
  for (const workflowIdReusePolicy of ['REJECT_DUPLICATE', 'ALLOW_DUPLICATE_FAILED_ONLY'] as const) {
    const options = { ...start, workflowIdReusePolicy, workflowIdConflictPolicy: 'FAIL' } as const;
    try {
      await callTemporal(client, withinMs, () => client.workflow.start(type, options));
      return 'started';
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const run = await callTemporal(client, withinMs, () => newestAcceptedRun(client, start.workflowId));
    if (run !== null) return run ?? null;
  }
  return null;
}
