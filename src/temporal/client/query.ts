import { type Client, QueryNotRegisteredError, QueryRejectedError } from '@temporalio/client';
import { EngineUnavailableError } from '../connection/unavailable.js';
import { newestRun } from './accepted-run.js';
import { callTemporal } from './calls.js';
import { isOpenStatus } from './open-status.js';

/** With less time left a failed query is not repeated. */
const repeatableMs = 500;

interface Query {
  workflowId: string;
  name: string;
  args?: object[];
}

/**
 * One query. One that an open run failed is repeated once: it may have come between two workflow tasks, and the next one
 * waits for the workflow task that contains those events.
 * @returns undefined where the workflow does not exist, or its newest run was refused at its start
 * @throws `EngineUnavailableError`, also where the workflow failed the query (`QUERY_FAILED`): a worker that has to replay it cannot
 *   read its data or its history, is of a release without this query, or the query threw; or where it is paused (`QUERY_REJECTED`)
 */
export async function queryTemporal<T>(
  client: Client,
  withinMs: number,
  query: Query,
): Promise<T | undefined> {
  const until = Date.now() + withinMs;
  try {
    return await sendQuery<T>(client, withinMs, query);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const run = await callTemporal(client, Math.max(until - Date.now(), 1), () =>
      newestRun(client, query.workflowId),
    );
    if (run === undefined || run.isRefused) return undefined;
    const leftMs = until - Date.now();
    if (!isOpenStatus(run.status) || leftMs < repeatableMs) throw error;
    return sendQuery<T>(client, leftMs, query);
  }
}

const isFailure = (error: unknown) =>
  error instanceof EngineUnavailableError && error.code === 'QUERY_FAILED';

async function sendQuery<T>(client: Client, withinMs: number, { workflowId, name, args = [] }: Query) {
  const handle = client.workflow.getHandle(workflowId);
  try {
    return await callTemporal(client, withinMs, () => handle.query<T, object[]>(name, ...args));
  } catch (error) {
    if (error instanceof QueryRejectedError)
      throw new EngineUnavailableError('QUERY_REJECTED', { cause: error });
    // Temporal reports every failed query so
    if (error instanceof QueryNotRegisteredError)
      throw new EngineUnavailableError('QUERY_FAILED', { cause: error });
    throw error;
  }
}
