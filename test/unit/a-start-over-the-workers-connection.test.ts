import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { expect, it } from 'vitest';
import { startFirst } from '../../src/temporal/client/start-first.js';

const start = { workflowId: 'booking-1', taskQueue: 'handover', args: [] };

/** A client that records how it starts workflows. */
function clientThat(starts: () => Promise<unknown>) {
  const started: object[] = [];
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      start(_type: string, options: object) {
        started.push(options);
        return starts();
      },
      getHandle: () => ({ describe: async () => ({ runId: 'run-1', status: { name: 'RUNNING' } }) }),
    },
  } as unknown as Client;
  return { client, started };
}

it('asks for a start at once, and the client starts nothing', async () => {
  const [plain, workers] = [clientThat(async () => ({})), clientThat(async () => ({}))];
  expect(await startFirst(plain.client, 1_000, 'booking', start, workers.client)).toBe(true);
  expect(workers.started).toMatchObject([{ workflowId: 'booking-1', requestEagerStart: true }]);
  expect(plain.started).toEqual([]);
});

it('that fails is made by the client, without asking for a start at once', async () => {
  const closed = async () => Promise.reject(new Error('the connection is closed'));
  const [plain, workers] = [clientThat(async () => ({})), clientThat(closed)];
  expect(await startFirst(plain.client, 1_000, 'booking', start, workers.client)).toBe(true);
  expect(plain.started).toMatchObject([{ workflowId: 'booking-1' }]);
  expect(plain.started[0]).not.toHaveProperty('requestEagerStart');
});

it('of an id that has a run starts nothing', async () => {
  const known = async () =>
    Promise.reject(new WorkflowExecutionAlreadyStartedError('known', 'booking-1', 'booking'));
  const [plain, workers] = [clientThat(async () => ({})), clientThat(known)];
  expect(await startFirst(plain.client, 1_000, 'booking', start, workers.client)).toBe(false);
  expect(plain.started).toEqual([]);
});
