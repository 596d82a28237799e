import { type Next, type WorkflowInternalsInterceptor, workflowInfo } from '@temporalio/workflow';

type ActivateInput = Parameters<NonNullable<WorkflowInternalsInterceptor['activate']>>[0];

/** How far a run has come: the last event that the SDK has applied, and what it knows of the task that it belongs to. */
interface Place {
  event: number;
  historySize: number;
  /** Instant with nanoseconds. */
  at: string;
}

/**
 * To answer a query, a worker builds a run that it does not have in memory from the history, and the SDK also applies the events
 * that no workflow task contains yet. The run would stay in memory and decide on them alone. A replay decides on all events
 * of their task together, so it would request something else, and no worker could continue the run any more. Here such a
 * query fails and the run leaves the memory; `queryTemporal` repeats the query. A replay is never refused.
 *
 * Not recognised, because nothing within the SDK's interface shows them: events of a task that another worker has begun, and
 * events behind a task that had nothing for the workflow to do.
 */
export class AppliesWholeTasks implements WorkflowInternalsInterceptor {
  private place: Place | undefined;

  activate(input: ActivateInput, next: Next<WorkflowInternalsInterceptor, 'activate'>): void {
    const { activation, batchIndex } = input;
    const isQuery = activation.jobs?.some(({ queryWorkflow }) => queryWorkflow) === true;
    // the events before a query come in activations of their own; that of the query applies none
    if (batchIndex === 0 && !isQuery) {
      const { historyLength: event, historySize, unsafe } = workflowInfo();
      const { seconds, nanos } = activation.timestamp ?? {};
      const place = { event, historySize, at: `${seconds}.${nanos}` };
      if (!unsafe.isReplaying && this.place !== undefined && isBetweenTasks(this.place, place))
        throw new Error('the query came between two workflow tasks: query again');
      this.place = place;
    }
    next(input);
  }
}

/**
 * New events without a new task: each task begins later than the one before, and with a larger history. The time-skipping
 * server does not measure histories.
 */
function isBetweenTasks(before: Place, now: Place): boolean {
  const isSameTask = now.historySize === before.historySize && now.at === before.at;
  return isSameTask && now.historySize > 0 && now.event > before.event;
}
