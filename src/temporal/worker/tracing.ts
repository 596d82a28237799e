import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { RecordInput } from '../../contract/reservation.js';
import {
  inSpan,
  type TraceCarrier,
  type TraceSinks,
  type Tracing,
  traceHeader,
} from '../../contract/tracing.js';

/** Receives the spans of workflows. Always registered: a workflow may be in a trace although this worker exports none. */
export function tracingSinks(tracing: Tracing | undefined): InjectedSinks<TraceSinks> {
  return {
    tracing: {
      span: {
        fn({ workflowId, workflowType, runId }, { to, ...span }) {
          const attributes = {
            'temporal.workflow.id': workflowId,
            'temporal.workflow.type': workflowType,
            'temporal.run.id': runId,
          };
          tracing?.begin({ ...span, attributes }).end({ at: to });
        },
        callDuringReplay: false,
      },
    },
  };
}

/** A span for each activity within a trace, and one for each verdict that it records, in the trace of its callback. */
export function tracedActivities(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const header = input.headers[traceHeader];
        const attributes = {
          'temporal.activity.type': info.activityType,
          'temporal.activity.attempt': info.attempt,
        };
        const name = `activity ${info.activityType}`;
        const trace = header && defaultPayloadConverter.fromPayload<TraceCarrier>(header);
        const rows = input.args[0] as RecordInput;
        return runTraced(tracing, { name, attributes, trace, rows }, () => next(input));
      },
    },
  });
}

interface Traced {
  name: string;
  attributes?: Readonly<Record<string, string | number>>;
  /** Of what the work follows from; absent: no trace. */
  trace: TraceCarrier | undefined;
  /** What it records, where `trace` has callbacks. */
  rows: RecordInput;
}

/** Runs work of a workflow in a span, where it belongs to a trace; then each verdict that it has recorded gets a span too. */
export async function runTraced<T>(
  tracing: Tracing | undefined,
  { trace, rows, ...span }: Traced,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined || trace === undefined) return work();
  const { traceparent: parent, callbacks } = trace;
  const result = await inSpan(tracing, { ...span, kind: 'consumer', parent }, work);
  if (callbacks !== undefined) recordVerdicts(tracing, callbacks, rows);
  return result;
}

/** Sends rows back to their workflow, as a part of the trace that they belong to. */
export function sendBack<T>(
  tracing: Tracing | undefined,
  trace: TraceCarrier | undefined,
  send: () => Promise<T>,
): Promise<T> {
  if (trace === undefined) return send();
  const { traceparent: parent, callbacks } = trace;
  return inSpan(tracing, { name: 'return rows', kind: 'producer', parent, callbacks }, send);
}

function recordVerdicts(
  tracing: Tracing,
  callbacks: NonNullable<TraceCarrier['callbacks']>,
  { reservationId, verdicts }: RecordInput,
): void {
  for (const { inboxId, verdict, rule } of verdicts) {
    const parent = callbacks[inboxId];
    if (parent === undefined) continue;
    const attributes = {
      'handover.verdict': verdict,
      'handover.rule': rule,
      'handover.reservation.id': reservationId,
      'handover.inbox.id': inboxId,
    };
    tracing.begin({ name: 'verdict', parent, attributes }).end();
  }
}
