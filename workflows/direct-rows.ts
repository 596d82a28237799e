import {
  type LocalActivityInput,
  type Next,
  proxySinks,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { Recorded, RecordInput, RowSinks } from '../src/contract/reservation.js';
import { carrierOf } from './tracing.js';

const sinks = proxySinks<RowSinks>();
/** Rows of one write; as many that are returned fit into a signal. */
const mostDirect = 200;

/**
 * Passes the rows of a reservation directly to its worker, in place of a local activity: no marker in the history, and no second
 * activation. The worker stores them before it completes the workflow task; where it cannot, it sends them back by the
 * signal `rowsReturned`, also before. So a task that Temporal has recorded has its rows stored, or the signal that returns them.
 *
 * The first write of a run is a local activity: its answer, which is in the history, states whether the worker accepts rows
 * directly. So is a write whose answer matters, because it changes attention items, and one too large for a signal.
 */
export class WritesRowsDirectly implements WorkflowOutboundCallsInterceptor {
  private isDirect = false;

  async scheduleLocalActivity(
    input: LocalActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>,
  ): Promise<unknown> {
    if (input.activityType !== 'record') return next(input);
    const [rows] = input.args as [RecordInput];
    if (this.isDirect && mayGoDirectly(rows)) {
      sinks.rows.store(rows, carrierOf(input.headers));
      return undefined;
    }
    const recorded = (await next(input)) as Recorded | undefined;
    this.isDirect = recorded?.direct === true;
    return recorded;
  }
}

function mayGoDirectly({ verdicts, entries }: RecordInput): boolean {
  const isSmall = verdicts.length + entries.length <= mostDirect;
  return isSmall && entries.every(({ attention }) => attention === undefined);
}
