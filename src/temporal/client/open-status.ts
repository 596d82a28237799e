import type { WorkflowExecutionStatusName } from '@temporalio/client';

/** Whether a run is not over: it runs, or an operator has paused it. */
export function isOpenStatus(status: WorkflowExecutionStatusName): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}
