import type { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { historiesOf } from '../../src/temporal/client/open-runs.js';
import { pendingOf } from '../../src/temporal/client/pending.js';
import { grpcError } from '../support/grpc-error.js';

/** The SDK hands on what the service throws for a history, unlike for other calls of a workflow. */
const temporal = (failures: Record<string, Error>) =>
  ({
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle: (workflowId: string) => ({
        async fetchHistory() {
          if (failures[workflowId]) throw failures[workflowId];
          return { events: [] };
        },
      }),
    },
  }) as unknown as Client;
const runs = ['one', 'two', 'three'].map((workflowId) => ({ workflowId, runId: 'run', type: 'reservation' }));
const notFound = grpcError(5);
const unavailable = grpcError(14);

async function read(client: Client): Promise<string[]> {
  const found: string[] = [];
  for await (const { workflowId } of historiesOf(client, runs)) found.push(workflowId);
  return found;
}

it('a run that was deleted after it was listed is left out, and the others are replayed', async () => {
  expect(await read(temporal({ two: notFound }))).toEqual(['one', 'three']);
});

it('any other failure ends the check', async () => {
  await expect(read(temporal({ two: unavailable }))).rejects.toBe(unavailable);
});

it('a workflow that does not exist waits for nothing', async () => {
  expect(await pendingOf(temporal({ one: notFound }), 'one')).toEqual({ busy: false, timers: [] });
  await expect(pendingOf(temporal({ one: unavailable }), 'one')).rejects.toBe(unavailable);
});
