import { defaultPayloadConverter } from '@temporalio/common';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitBookingUpdate } from '../../src/contract/booking.js';
import { awaitCarWriteUpdate, carWriteWorkflow } from '../../src/contract/car-write.js';
import { awaitHoldUpdate, holdWorkflow, releaseHoldUpdate } from '../../src/contract/hold.js';
import { bookingWorkflow, moveSignal, reservationWorkflow } from '../../src/contract/names.js';
import { type TraceParent, traceHeader } from '../../src/contract/tracing.js';
import { CarriesTraces, carrierOf } from '../../workflows/tracing.js';

const run = vi.hoisted(() => ({ info: { workflowType: '', runId: 'run-1' }, span: vi.fn() }));
vi.mock('@temporalio/workflow', () => ({
  workflowInfo: () => run.info,
  proxySinks: () => ({ tracing: { span: run.span } }),
}));
beforeEach(() => run.span.mockClear());

const parentOf = (digit: string): TraceParent => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const [first, second] = [parentOf('1'), parentOf('2')];
const headersOf = (traceparent?: TraceParent) =>
  traceparent === undefined ? {} : { [traceHeader]: defaultPayloadConverter.toPayload({ traceparent }) };

/** One run of a workflow: what it receives and sends, as the interceptor sees it. */
function begin(workflowType: string) {
  run.info.workflowType = workflowType;
  const traces = new CarriesTraces();
  const scheduled = async (name: 'scheduleActivity' | 'scheduleLocalActivity', argument: object) => {
    const given = { args: [argument], headers: {} };
    const sent = vi.fn(async (_input: typeof given) => {});
    await traces[name](given as never, sent as never);
    const input = sent.mock.calls[0]?.[0] ?? given;
    return { isAsGiven: input === given, traceparent: carrierOf(input.headers)?.traceparent };
  };
  return {
    traces,
    start: (headers: object) => traces.execute({ args: [], headers } as never, async () => {}),
    update: (name: string, traceparent?: TraceParent) =>
      traces.handleUpdate(
        { name, args: [{ commandId: 'command-1' }], headers: headersOf(traceparent) } as never,
        async () => {},
      ),
    signal: (signalName: string, traceparent?: TraceParent) =>
      traces.handleSignal({ signalName, args: [], headers: headersOf(traceparent) } as never, async () => {}),
    activity: (argument = {}) => scheduled('scheduleActivity', argument),
    localActivity: (argument = {}) => scheduled('scheduleLocalActivity', argument),
    endTask: () => traces.concludeActivation({ commands: [] }, (input) => input),
    /** @returns headers of the next run's start */
    async continueAsNew() {
      const given = { args: [], headers: {} };
      const sent = vi.fn(async (_input: typeof given) => {});
      await traces.continueAsNew(given as never, sent as never);
      return sent.mock.calls[0]?.[0].headers ?? expect.fail('no next run');
    },
  };
}
const names = () => run.span.mock.calls.map(([{ name }]) => name);

it.each([reservationWorkflow, bookingWorkflow, carWriteWorkflow, holdWorkflow])(
  'without a trace in what a %s receives, it sends no header, remembers no place and reports no span',
  async (workflowType) => {
    const { traces, start, update, signal, activity, localActivity, endTask, continueAsNew } =
      begin(workflowType);
    await start({});
    await signal('events');
    await update('dispatch.start');
    const untouched = { isAsGiven: true, traceparent: undefined };
    expect(await activity({ id: { command: '17:dispatch.start:command-1' } })).toEqual(untouched);
    expect(await localActivity({ verdicts: [{ inboxId: 1 }] })).toEqual(untouched);
    endTask();
    expect(await continueAsNew()).toEqual({});
    expect(traces).toEqual(new CarriesTraces());
    expect(run.span).not.toHaveBeenCalled();
  },
);

it('with a trace the next activity has its place, until the task ends (control)', async () => {
  const { traces, signal, activity, endTask, continueAsNew } = begin(reservationWorkflow);
  await signal('events', first);
  expect((await activity()).traceparent).toMatch(/^00-1{32}-[0-9a-f]{16}-01$/);
  expect(traces).not.toEqual(new CarriesTraces());
  expect(await continueAsNew()).toEqual({});
  endTask();
  expect(await activity()).toEqual({ isAsGiven: true, traceparent: undefined });
  expect(names()).toEqual(['workflow signal events']);
});

describe('a hold', () => {
  it('has its steps of all tasks in the trace of its start, without a span of its own', async () => {
    const { start, activity, endTask } = begin(holdWorkflow);
    await start(headersOf(first));
    for (const _task of [1, 2]) {
      expect(await activity()).toEqual({ isAsGiven: false, traceparent: first });
      endTask();
    }
    expect(names()).toEqual([]);
  });

  it('has what follows from a command in its trace, under the span of the update', async () => {
    const { start, update, activity, endTask } = begin(holdWorkflow);
    await start(headersOf(first));
    endTask();
    await update(releaseHoldUpdate, second);
    endTask();
    const [[{ spanId, parent }] = [{}]] = run.span.mock.calls;
    expect(parent).toBe(second);
    expect((await activity()).traceparent).toBe(`00-${'2'.repeat(32)}-${spanId}-01`);
  });

  it('a command without a trace ends the one before; what only waits, or asks for no step, does not', async () => {
    const { start, update, signal, activity } = begin(holdWorkflow);
    await start(headersOf(first));
    await update(awaitHoldUpdate);
    await signal(moveSignal);
    await update(awaitHoldUpdate, second);
    expect(names()).toEqual([`workflow update ${awaitHoldUpdate}`]);
    expect((await activity()).traceparent).toBe(first);
    await update(releaseHoldUpdate);
    expect(await activity()).toEqual({ isAsGiven: true, traceparent: undefined });
  });

  it('continues in its next run the trace of the run before', async () => {
    const before = begin(holdWorkflow);
    await before.start(headersOf(first));
    before.endTask();
    const next = begin(holdWorkflow);
    await next.start(await before.continueAsNew());
    expect((await next.activity()).traceparent).toBe(first);
  });
});

it.each([
  [bookingWorkflow, awaitBookingUpdate],
  [carWriteWorkflow, awaitCarWriteUpdate],
])('a %s stays in the trace of its request, whichever request waits for it', async (workflowType, update) => {
  const waited = begin(workflowType);
  await waited.start(headersOf(first));
  const { traceparent } = await waited.activity();
  expect(traceparent).toMatch(/^00-1{32}-/);
  await waited.update(update, second);
  waited.endTask();
  expect((await waited.activity()).traceparent).toBe(traceparent);
});
