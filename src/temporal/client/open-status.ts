import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import proto from '@temporalio/proto';
import { engineCode } from '../connection/unavailable.js';
import { inTime } from './calls.js';

const { WORKFLOW_EXECUTION_STATUS_RUNNING: running, WORKFLOW_EXECUTION_STATUS_PAUSED: paused } =
  proto.temporal.api.enums.v1.WorkflowExecutionStatus;

/** Whether a run is not over: it runs, or an operator has paused it. */
export function isOpenStatus(status: WorkflowExecutionStatusName): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}

/** The same of the service's own answer, which the client has not read. */
export function isOpenStatusCode(status: number | null | undefined): boolean {
  return status === running || status === paused;
}

/** A server may be updated, or returned to the version before, under a running process. */
const readAgainMs = 10 * 60_000;
const conditions = new WeakMap<Client, { condition: string; until: number }>();

/**
 * The same as a condition of visibility. A server that cannot pause workflows, such as the embedded one, refuses a query that names
 * the status: whether it does is read every ten minutes.
 * @throws the service's error
 */
export async function openCondition(client: Client, withinMs = 10_000): Promise<string> {
  const known = conditions.get(client);
  if (known !== undefined && Date.now() < known.until) return known.condition;
  const condition = (await knowsPaused(client, withinMs))
    ? "ExecutionStatus IN ('Running', 'Paused')"
    : "ExecutionStatus = 'Running'";
  conditions.set(client, { condition, until: Date.now() + readAgainMs });
  return condition;
}

async function knowsPaused(client: Client, withinMs: number): Promise<boolean> {
  const { workflowService, options } = client;
  const request = { namespace: options.namespace, query: "ExecutionStatus = 'Paused'", pageSize: 1 };
  try {
    await inTime(client, withinMs, () => workflowService.listWorkflowExecutions(request));
    return true;
  } catch (error) {
    if (engineCode(error) === 'INVALID_ARGUMENT') return false;
    throw error;
  }
}
