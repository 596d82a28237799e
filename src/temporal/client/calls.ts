import { type Client, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { EngineUnavailableError, engineCode } from '../connection/unavailable.js';

/** One call of Temporal, within `withinMs` (by default the client waits for ever). @throws what the call threw */
export function inTime<T>(
  client: Pick<Client, 'withDeadline'>,
  withinMs: number,
  call: () => Promise<T>,
): Promise<T> {
  return client.withDeadline(Date.now() + withinMs, call);
}

/**
 * What a call of Temporal returned.
 * @returns undefined where what it is about does not exist, or is closed and the call needs it open
 * @throws anything else the call threw
 */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (engineCode(error) === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * One call of Temporal, within `withinMs`.
 * @returns undefined as `ifFound`
 * @throws `EngineUnavailableError` where no usable answer came; anything else the call threw as it is
 */
export async function callTemporal<T>(
  client: Client,
  withinMs: number,
  call: () => Promise<T>,
): Promise<T | undefined> {
  return asUnavailable(ifFound(inTime(client, withinMs, call)));
}

/** What calls of Temporal returned. @throws `EngineUnavailableError` where one had no usable answer; anything else as it is */
export async function asUnavailable<T>(calls: Promise<T>): Promise<T> {
  try {
    return await calls;
  } catch (error) {
    const late = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    const code = late ? 'DEADLINE_EXCEEDED' : engineCode(error);
    if (code === null || code === 'INVALID_ARGUMENT') throw error;
    throw new EngineUnavailableError(code, { cause: error });
  }
}
