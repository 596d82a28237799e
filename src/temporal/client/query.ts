import { type Client, QueryNotRegisteredError, QueryRejectedError } from '@temporalio/client';
import { EngineUnavailableError } from '../connection/unavailable.js';
import { isNewestRunRefused } from './accepted-run.js';
import { callTemporal } from './calls.js';

interface Query {
  workflowId: string;
  name: string;
  args?: object[];
}

/**
 * One query; a failed one is asked once more.
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
  const leftMs = () => Math.max(until - Date.now(), 1);
  try {
    return await onceMore(() => askOnce<T>(client, leftMs(), query));
  } catch (error) {
    if (error instanceof QueryRejectedError)
      throw new EngineUnavailableError('QUERY_REJECTED', { cause: error });
    // Temporal reports every failed query so
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    const isRefused = () => isNewestRunRefused(client, query.workflowId);
    if ((await callTemporal(client, leftMs(), isRefused)) === false)
      throw new EngineUnavailableError('QUERY_FAILED', { cause: error });
    return undefined;
  }
}

function askOnce<T>(client: Client, withinMs: number, { workflowId, name, args = [] }: Query) {
  const handle = client.workflow.getHandle(workflowId);
  return callTemporal(client, withinMs, () => handle.query<T, object[]>(name, ...args));
}

/** A query that came between two workflow tasks fails; the next one waits for the task of the events that were left over. */
async function onceMore<A>(ask: () => Promise<A>): Promise<A> {
  try {
    return await ask();
  } catch (error) {
    // why it failed is encrypted
    if (error instanceof QueryNotRegisteredError) return await ask();
    throw error;
  }
}
