import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { within } from '../../store/connection/within.js';
import { newestAcceptedRun } from './accepted-run.js';
import { callTemporal } from './calls.js';

const hereWithinMs = 2_000;

type Start = Omit<WorkflowStartOptions, 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;

/**
 * Starts a workflow whose id stands for one request, once: also where Temporal knows nothing of the id but starts that
 * were refused as not encrypted.
 * @param workers over the connection of this process's workers: its first task needs no way through the queue
 * @returns false where the id has a run, open or ended
 * @throws `EngineUnavailableError`
 */
export async function startFirst(
  client: Client,
  withinMs: number,
  type: string,
  start: Start,
  workers?: Client,
): Promise<boolean> {
  for (const workflowIdReusePolicy of ['REJECT_DUPLICATE', 'ALLOW_DUPLICATE_FAILED_ONLY'] as const) {
    const options = { ...start, workflowIdReusePolicy, workflowIdConflictPolicy: 'FAIL' } as const;
    try {
      await callTemporal(
        client,
        withinMs,
        async () => (await startedHere(workers, type, options)) || client.workflow.start(type, options),
      );
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const run = await callTemporal(client, withinMs, () => newestAcceptedRun(client, start.workflowId));
    if (run !== null) return false;
  }
  return false;
}

/**
 * Over the workers' own connection. Where that fails, such as one that is closed meanwhile, the client starts it.
 * @throws `WorkflowExecutionAlreadyStartedError`
 */
async function startedHere(
  workers: Client | undefined,
  type: string,
  start: WorkflowStartOptions,
): Promise<boolean> {
  if (workers === undefined) return false;
  const options = { ...start, requestEagerStart: true };
  // this connection tries again by itself, beyond the deadline of a call
  const starting = workers.withDeadline(Date.now() + hereWithinMs, () =>
    workers.workflow.start(type, options),
  );
  try {
    await within(hereWithinMs, starting);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw error;
    return false;
  }
}
