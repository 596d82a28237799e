import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { inSpan, type NewSpan, type Tracing, traceHeader } from '../../contract/tracing.js';

/**
 * A span for each call of a workflow within a trace, and the trace in the header of what it sends. The official interceptor
 * knows neither several callbacks in one signal nor traces that continue weeks later, and its workflow part adds steps to
 * workflows (docs/monitoring.md).
 */
export function tracingInterceptor(tracing: Tracing): WorkflowClientInterceptor {
  const inTrace = <T>(span: NewSpan, work: () => Promise<T>) =>
    inSpan(tracing.carrier() === undefined ? undefined : tracing, span, work);
  const withTrace = <H extends object>(headers: H): H => {
    const carrier = tracing.carrier();
    if (carrier === undefined) return headers;
    return { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(carrier) };
  };
  /** The callbacks of a signal are carried beside the place of its own span. */
  const sent = (name: string): NewSpan => ({
    name,
    kind: 'producer',
    callbacks: tracing.carrier()?.callbacks,
  });
  const passOn = <I extends { headers: object }, R>(
    span: NewSpan,
    input: I,
    next: (input: I) => Promise<R>,
  ): Promise<R> => inTrace(span, () => next({ ...input, headers: withTrace(input.headers) }));
  return {
    start: (input, next) => passOn(sent(`start ${input.workflowType}`), input, next),
    startWithDetails: (input, next) => passOn(sent(`start ${input.workflowType}`), input, next),
    signal: (input, next) => passOn(sent(`signal ${input.signalName}`), input, next),
    signalWithStart: (input, next) => passOn(sent(`signal ${input.signalName}`), input, next),
    startUpdate: (input, next) => passOn({ name: `update ${input.updateName}`, kind: 'client' }, input, next),
    startUpdateWithStart: (input, next) =>
      inTrace({ name: `update ${input.updateName}`, kind: 'client' }, () =>
        next({
          ...input,
          workflowStartHeaders: withTrace(input.workflowStartHeaders),
          updateHeaders: withTrace(input.updateHeaders),
        }),
      ),
    query: (input, next) => inTrace({ name: `query ${input.queryType}`, kind: 'client' }, () => next(input)),
  };
}
