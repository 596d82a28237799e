import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type TraceCarrier,
  type TraceParent,
  type Tracing,
  traceHeader,
} from '../../src/contract/tracing.js';
import { tracingInterceptor } from '../../src/temporal/client/tracing.js';
import { timeSkippingEnv } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { holdWorker, type TestHold } from '../support/holds.js';
import { day } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

const parentOf = (digit: string): TraceParent => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
/** Of the request that is being sent. */
let place = parentOf('1');
const tracing: Tracing = {
  begin: () => ({ traceparent: place, run: (work) => work(), end: () => {} }),
  carrier: () => ({ traceparent: place }),
};

/** Of each run, the first one first: the traces of its start, and of each activity that it schedules. */
async function tracesOf({ handle: { client, workflowId } }: TestHold): Promise<string[][]> {
  const traces: string[][] = [];
  let runId: string | null | undefined;
  do {
    const { events } = await client.getHandle(workflowId, runId ?? undefined).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const headers = [started, ...(events ?? []).map((event) => event.activityTaskScheduledEventAttributes)];
    traces.unshift(
      headers.flatMap((attributes) => {
        if (!attributes) return [];
        const header = attributes.header?.fields?.[traceHeader];
        if (!header) return ['none'];
        return [defaultPayloadConverter.fromPayload<TraceCarrier>(header).traceparent.slice(3, 35)];
      }),
    );
    runId = started?.continuedExecutionRunId;
  } while (runId);
  return traces;
}

it('what a hold does belongs to the trace of its start, in each run, and from a release on to that of the release', async () => {
  const { namespace, connection, nativeConnection } = env;
  const interceptors = { workflow: [tracingInterceptor(tracing)] };
  const client = new Client({ connection, namespace: namespace ?? 'default', interceptors });
  const { platform, whileRunning, hold: make } = await holdWorker({ nativeConnection, client, namespace });
  const start = Math.floor((await env.currentTimeMs()) / 1_000) * 1_000 + day;
  const hold = make({
    holdId: randomUUID(),
    carId: 1001,
    period: { start, end: start + day },
    reason: 'maintenance',
    withdrawFromSale: false,
    reservationId: null,
    by: 'kim',
    mark: 'mark',
  });
  await whileRunning(async () => {
    await hold.start({ historyEventsPerRun: 1 });
    // a request that waits for it would delay the next run
    const recorded = () => platform.schedules.records.at(-1)?.view;
    await eventually('it is placed', () => recorded()?.state === 'planned' && recorded()?.memoId !== null);
    place = parentOf('2');
    await hold.release();
    await hold.handle.result();
  });
  const traces = await tracesOf(hold);
  expect(traces.length).toBeGreaterThan(2);
  const inOrder = traces.flat();
  expect(inOrder.filter((trace, at) => trace !== inOrder[at - 1])).toEqual(['1'.repeat(32), '2'.repeat(32)]);
});
