import { type Client, QueryNotRegisteredError, QueryRejectedError } from '@temporalio/client';
import { EngineUnavailableError } from '../connection/unavailable.js';
import { isNewestRunRefused } from './accepted-run.js';
import { callTemporal } from './calls.js';

/**
 * One query.
 * @returns undefined where the workflow does not exist, or its newest run was refused at its start
 * @throws `EngineUnavailableError`, also where the workflow failed the query (`QUERY_FAILED`): a worker that has to replay it cannot
 *   read its data or its history, is of a release without this query, or the query threw; or where it is paused (`QUERY_REJECTED`)
 */
export async function queryTemporal<T>(
  client: Client,
  withinMs: number,
  { workflowId, name, args = [] }: { workflowId: string; name: string; args?: object[] },
): Promise<T | undefined> {
  const handle = client.workflow.getHandle(workflowId);
  const until = Date.now() + withinMs;
  try {
    return await callTemporal(client, withinMs, () => handle.query<T, object[]>(name, ...args));
  } catch (error) {
    if (error instanceof QueryRejectedError)
      throw new EngineUnavailableError('QUERY_REJECTED', { cause: error });
    // Temporal reports every failed query so
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    const isRefused = () => isNewestRunRefused(client, workflowId);
    if ((await callTemporal(client, Math.max(until - Date.now(), 1), isRefused)) === false)
      throw new EngineUnavailableError('QUERY_FAILED', { cause: error });
    return undefined;
  }
}
