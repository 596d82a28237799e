import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { EngineUnavailableError } from '../deps.js';

/** gRPC's INVALID_ARGUMENT. */
const invalidArgument = 3;

/**
 * One call of Temporal, within `withinMs` (by default the client waits for ever).
 * @returns undefined where the workflow does not exist, or is closed and the call needs an open one
 * @throws `EngineUnavailableError` where no answer came; anything else the call threw as it is
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
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isNoAnswer(error)) {
      throw new EngineUnavailableError('Temporal gave no answer', { cause: error });
    }
    throw error;
  }
}

/** Temporal refused the request's own form. */
export function isInvalidArgument(error: unknown): boolean {
  return isGrpcServiceError(error) && error.code === invalidArgument;
}

/** The server, the network or every worker was away. */
function isNoAnswer(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code !== invalidArgument;
}
