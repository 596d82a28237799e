import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { markOf } from '../../sealing/mark.js';
import { EngineUnavailableError } from '../deps.js';
import { callTemporal } from './calls.js';

const startWithinMs = 5_000;

/** A workflow whose id is the caller's command id: pressing twice starts it once. */
export interface OnceStart {
  commandId: string;
  type: string;
  workflowId: string;
  queue: string;
  /** The start argument. */
  input: object;
  /** What the command id stands for: the same id with another request is refused (L21). */
  request: unknown;
  summary: string;
}

/**
 * Starts the workflow, or finds it started.
 * @returns false where the id stands for another request
 * @throws `EngineUnavailableError`
 */
export async function startOnce(
  client: Client,
  { commandId, type, workflowId, queue, input, request, summary }: OnceStart,
): Promise<boolean> {
  const mark = markOf(commandId, request);
  const options = {
    taskQueue: queue,
    workflowId,
    args: [input],
    memo: { request: mark },
    staticSummary: summary,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
  } as const;
  try {
    await callTemporal(client, startWithinMs, () => client.workflow.start(type, options));
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const known = await callTemporal(client, startWithinMs, () =>
    client.workflow.getHandle(workflowId).describe(),
  );
  return known?.memo?.request === mark;
}

/** Shortly before a long poll's deadline the server answers at once, and the client would ask again and again. */
const longerMs = 5_000;

/**
 * What it ended with; `pending`: not within the time; `unknown`: somebody ended it, or it failed.
 * @param over nobody waits any more
 */
export async function resultWithin<R>(
  client: Client,
  workflowId: string,
  { withinMs, over }: { withinMs: number; over?: AbortSignal },
): Promise<R | { outcome: 'pending' } | { outcome: 'unknown'; code: string }> {
  const handle = client.workflow.getHandle<() => Promise<R>>(workflowId);
  const waited = new AbortController();
  const signal = AbortSignal.any([waited.signal, ...(over === undefined ? [] : [over])]);
  const time = sleep(Math.max(withinMs, 0), undefined, { signal }).catch(() => undefined);
  // asked no further once it is answered: a call that outlives the connection ends the process
  const result = client.withAbortSignal(signal, () =>
    callTemporal(client, withinMs + longerMs, () => handle.result()),
  );
  try {
    return (await Promise.race([result, time])) ?? { outcome: 'pending' };
  } catch (error) {
    if (error instanceof EngineUnavailableError) return { outcome: 'pending' };
    if (error instanceof WorkflowFailedError) return { outcome: 'unknown', code: 'ATTEMPT_LOST' };
    throw error;
  } finally {
    waited.abort();
    result.catch(() => {});
  }
}
