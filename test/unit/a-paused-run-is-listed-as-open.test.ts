import type { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { drawOpenRuns } from '../../src/temporal/client/open-runs.js';
import { openReservations } from '../../src/temporal/client/reservations/believed.js';
import { listStuckWorkflows } from '../../src/temporal/client/stuck-workflows.js';
import { grpcError } from '../support/grpc-error.js';

/** @param refuses which queries the server refuses, and with which gRPC status */
function temporal(refuses: (query: string) => number | undefined = () => undefined) {
  const queries: string[] = [];
  const client = {
    options: { namespace: 'default' },
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflowService: {
      async listWorkflowExecutions({ query }: { query: string }) {
        queries.push(query);
        const status = refuses(query);
        if (status !== undefined) throw grpcError(status);
        return { executions: [] };
      },
    },
  } as unknown as Client;
  return { client, queries };
}
const isAboutPaused = (query: string) => query.includes('Paused');
const isProbe = (query: string) => query === "ExecutionStatus = 'Paused'";

it('every list of open runs has the paused ones; whether the server knows them is read once', async () => {
  const { client, queries } = temporal();
  await openReservations(client, () => {});
  await drawOpenRuns(client, { perType: 1 });
  await listStuckWorkflows(client);
  expect(queries.filter(isProbe)).toHaveLength(1);
  const lists = queries.filter((query) => !isProbe(query));
  expect(lists).toHaveLength(3);
  for (const query of lists) expect(query).toContain("ExecutionStatus IN ('Running', 'Paused')");
});

it('a server that cannot pause runs, and refuses their name, lists the running ones', async () => {
  const { client, queries } = temporal((query) => (isAboutPaused(query) ? 3 : undefined));
  await expect(openReservations(client, () => {})).resolves.toEqual([]);
  await expect(openReservations(client, () => {})).resolves.toEqual([]);
  expect(queries.filter(isAboutPaused)).toEqual(["ExecutionStatus = 'Paused'"]);
  expect(queries.at(-1)).toContain("ExecutionStatus = 'Running'");
});

it('a server that is away decides nothing: the list fails, and the next one reads it again', async () => {
  let isAway = true;
  const { client, queries } = temporal(() => (isAway ? 14 : undefined));
  await expect(openReservations(client, () => {})).rejects.toMatchObject({ code: 14 });
  isAway = false;
  await openReservations(client, () => {});
  expect(queries.at(-1)).toContain('Paused');
});
