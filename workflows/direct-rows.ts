import {
  type LocalActivityInput,
  type Next,
  proxySinks,
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInternalsInterceptor,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { Recorded, RecordInput, ReservationStart, RowSinks } from '../src/contract/reservation.js';
import type { TraceCarrier } from '../src/contract/tracing.js';
import { carrierOf } from './tracing.js';

const sinks = proxySinks<RowSinks>();
/** Rows of one write; as many that are returned fit into a signal. */
const mostDirect = 200;

/**
 * Passes the rows of a reservation directly to its worker, in place of a local activity: no marker in the history, and no second
 * activation. The worker stores them before it completes the workflow task; where it cannot, it sends them back by the
 * signal `rowsReturned`, also before. So a task that Temporal has recorded has its rows stored, or the signal that returns them.
 * What fails before its activation is concluded passes none.
 *
 * Whether the worker accepts rows directly is in the history: the start states it, then the answer to each write by a local activity.
 * Those are a write whose answer matters, because it changes attention items, one too large for a signal, and the first of a run whose
 * start offers nothing.
 */
export class WritesRowsDirectly
  implements WorkflowInboundCallsInterceptor, WorkflowOutboundCallsInterceptor, WorkflowInternalsInterceptor
{
  private isDirect = false;
  private passed: [RecordInput, TraceCarrier | undefined][] = [];

  execute(
    input: WorkflowExecuteInput,
    next: Next<WorkflowInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const [start] = input.args as [Partial<ReservationStart>?];
    this.isDirect = start?.direct === true;
    return next(input);
  }

  async scheduleLocalActivity(
    input: LocalActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>,
  ): Promise<unknown> {
    if (input.activityType !== 'record') return next(input);
    const [rows] = input.args as [RecordInput];
    if (this.isDirect && mayGoDirectly(rows)) {
      this.passed.push([rows, carrierOf(input.headers)]);
      return { direct: true } satisfies Recorded;
    }
    const recorded = (await next(input)) as Recorded | undefined;
    this.isDirect = recorded?.direct === true;
    return recorded;
  }

  concludeActivation(
    input: Parameters<NonNullable<WorkflowInternalsInterceptor['concludeActivation']>>[0],
    next: Next<WorkflowInternalsInterceptor, 'concludeActivation'>,
  ) {
    for (const [rows, trace] of this.passed.splice(0)) sinks.rows.store(rows, trace);
    return next(input);
  }
}

function mayGoDirectly({ verdicts, entries }: RecordInput): boolean {
  const isSmall = verdicts.length + entries.length <= mostDirect;
  return isSmall && entries.every(({ attention }) => attention === undefined);
}
