import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { startMarkOf } from '../../store/sealing/mark.js';
import { EngineUnavailableError } from '../connection/unavailable.js';
import { callTemporal } from './calls.js';
import { startFirst } from './start-first.js';

const startWithinMs = 5_000;

/** A workflow whose id is the caller's command id: a repeated request starts it once. */
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

/** The run that acts for a command id; without a run id: the newest, which has just been started. */
export interface OnceRun {
  runId?: string | undefined;
}

/**
 * Starts the workflow, or finds it started.
 * @returns undefined where the id stands for another request
 * @throws `EngineUnavailableError`
 */
export async function startOnce(
  client: Client,
  { commandId, type, workflowId, queue, input, request, summary }: OnceStart,
): Promise<OnceRun | undefined> {
  const mark = startMarkOf(commandId, request);
  const options = {
    taskQueue: queue,
    workflowId,
    args: [input],
    memo: { request: mark },
    staticSummary: summary,
  };
  const found = await startFirst(client, startWithinMs, type, options);
  if (found === 'started') return {};
  const described = found && (await describe(client, workflowId, found.runId));
  if (!described) throw new EngineUnavailableError('NOT_FOUND'); // started, and cannot be read
  return described.memo?.request === mark ? { runId: found.runId } : undefined;
}

function describe(client: Client, workflowId: string, runId: string) {
  return callTemporal(client, startWithinMs, () => client.workflow.getHandle(workflowId, runId).describe());
}

/** Shortly before a long poll's deadline the server answers at once, and the client would repeat the poll without a pause. */
const longerMs = 5_000;

/** A workflow that has not ended by then gets an update: its rows may be delayed. */
const updateAfterMs = 1_500;

type NoEnd = { outcome: 'pending' } | { outcome: 'unknown'; code: string };

/**
 * The outcome of a workflow, from an update or from its result, whichever comes first: it may have rows to write before it
 * ends. `pending`: neither within the time; `unknown`: it was terminated, or it failed.
 * @param update its name; without an argument
 */
export async function outcomeWithin<R>(
  client: Client,
  { workflowId, runId }: OnceRun & { workflowId: string },
  { update, withinMs }: { update: string; withinMs: number },
): Promise<R | NoEnd> {
  const handle = client.workflow.getHandle<() => Promise<R>>(workflowId, runId);
  const waited = new AbortController();
  const { signal } = waited;
  const time = sleep(Math.max(withinMs, 0), undefined, { signal }).catch(() => undefined);
  // stops once there is an answer: a call that outlives the connection ends the process
  const callInTime = <T>(call: () => Promise<T>) =>
    client.withAbortSignal(signal, () => callTemporal(client, withinMs + longerMs, call));
  const result = callInTime(() => handle.result());
  // most workflows end before this, and an update costs a workflow task; an ended one answers by its result
  const updateResult = sleep(updateAfterMs, undefined, { signal })
    .then(() => callInTime(() => handle.executeUpdate<R, []>(update, { args: [] })))
    .then(
      (answer) => answer ?? result,
      () => result,
    );
  try {
    return (await Promise.race([result, updateResult, time])) ?? { outcome: 'pending' };
  } catch (error) {
    if (error instanceof EngineUnavailableError) return { outcome: 'pending' };
    if (error instanceof WorkflowFailedError) return { outcome: 'unknown', code: 'ATTEMPT_LOST' };
    throw error;
  } finally {
    waited.abort();
    result.catch(() => {});
    updateResult.catch(() => {});
  }
}
