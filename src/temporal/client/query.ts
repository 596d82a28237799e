import { type Client, QueryNotRegisteredError } from '@temporalio/client';
import { isNewestRunRefused } from './accepted-run.js';
import { callTemporal } from './calls.js';

/**
 * One query.
 * @returns undefined where the workflow does not exist, or its newest run was refused at its start
 * @throws `EngineUnavailableError`; anything else the query threw as it is
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
    // Temporal reports every failed query so
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    const isRefused = () => isNewestRunRefused(client, workflowId);
    if ((await callTemporal(client, Math.max(until - Date.now(), 1), isRefused)) === false) throw error;
    return undefined;
  }
}
