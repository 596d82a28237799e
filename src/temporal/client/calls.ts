import { type Client, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { EngineUnavailableError, engineCode } from '../connection/unavailable.js';

/**
 * One call of Temporal, within `withinMs` (by default the client waits for ever).
 * @returns undefined where the workflow does not exist, or is closed and the call needs an open one
 * @throws `EngineUnavailableError` where no usable answer came; anything else the call threw as it is
 */
export async function callTemporal<T>(
  client: Client,
  withinMs: number,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await client.withDeadline(Date.now() + withinMs, call);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    const late = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    const code = late ? 'DEADLINE_EXCEEDED' : engineCode(error);
    if (code === null || code === 'INVALID_ARGUMENT') throw error;
    throw new EngineUnavailableError(code, { cause: error });
  }
}
