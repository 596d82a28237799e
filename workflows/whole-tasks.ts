import { type Next, type WorkflowInternalsInterceptor, workflowInfo } from '@temporalio/workflow';

type ActivateInput = Parameters<NonNullable<WorkflowInternalsInterceptor['activate']>>[0];
type Job = NonNullable<ActivateInput['activation']['jobs']>[number];

/**
 * To answer a query, a worker builds a run that it does not have in memory from the history, and the SDK also applies the events
 * that no workflow task contains yet. The run would stay in memory and decide on them alone. A replay decides on all events
 * of their task together, so it would request something else, and no worker could continue the run any more. Here such a
 * query fails and the run leaves the memory; `queryTemporal` asks again.
 *
 * It does not recognise events of a task that another worker has begun and loses.
 */
export class AppliesWholeTasks implements WorkflowInternalsInterceptor {
  private historySize = 0;
  private at = 0;

  activate(input: ActivateInput, next: Next<WorkflowInternalsInterceptor, 'activate'>): void {
    const jobs = input.activation.jobs ?? [];
    if (input.batchIndex === 0 && !jobs.some(({ queryWorkflow }) => queryWorkflow)) this.examine(jobs);
    next(input);
  }

  /** Each task begins later than the one before and with a larger history, which the time-skipping server does not measure. */
  private examine(jobs: Job[]): void {
    const { historySize } = workflowInfo();
    const at = Date.now();
    const isSameTask = historySize > 0 && historySize === this.historySize && at === this.at;
    if (isSameTask && jobs.some(isOfEvent))
      throw new Error('the query came between two workflow tasks: query again');
    this.historySize = historySize;
    this.at = at;
  }
}

/** Whether the job stands for an event of the history; results of local activities and updates come within a task. */
function isOfEvent({ signalWorkflow, fireTimer, cancelWorkflow, resolveActivity, ...other }: Job): boolean {
  if (signalWorkflow || fireTimer || cancelWorkflow) return true;
  if (resolveActivity) return resolveActivity.isLocal !== true;
  return Boolean(
    other.resolveChildWorkflowExecutionStart ||
      other.resolveChildWorkflowExecution ||
      other.resolveSignalExternalWorkflow ||
      other.resolveRequestCancelExternalWorkflow,
  );
}
