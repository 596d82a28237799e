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
      async execute(input, next) {
        const header = input.headers[traceHeader];
        if (header === undefined) return next(input);
        const { traceparent: parent, callbacks } = defaultPayloadConverter.fromPayload<TraceCarrier>(header);
        const attributes = {
          'temporal.activity.type': info.activityType,
          'temporal.activity.attempt': info.attempt,
        };
        const name = `activity ${info.activityType}`;
        const result = await inSpan(tracing, { name, kind: 'consumer', parent, attributes }, () =>
          next(input),
        );
        if (callbacks !== undefined) recordVerdicts(tracing, callbacks, input.args[0] as RecordInput);
        return result;
      },
    },
  });
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
