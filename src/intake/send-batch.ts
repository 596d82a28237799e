import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { NamespaceNotFoundError, WorkflowNotFoundError } from '@temporalio/common';
import { reservationWorkflow, reservationWorkflowId, taskQueue } from '../contract/names.js';
import {
  type EventBatch,
  eventsSignal,
  type ReservationStart,
  startOptions,
} from '../contract/reservation.js';
import type { Policy } from '../lifecycle/index.js';
import { EngineUnavailableError, EventsRefusedError, type SendBatch } from './send.js';

/** gRPC status codes by number, as the log and the inbox show them. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

/**
 * Sends by `signalWithStart`: an unknown reservation's workflow starts from whichever event comes first (L05); one
 * that has ended stays so: by the reuse policy `REJECT_DUPLICATE`, and by its case file once Temporal has forgotten it.
 */
export function createSendBatch(client: Client, options: { policy: Policy; deadlineMs?: number }): SendBatch {
  const { policy, deadlineMs = 10_000 } = options;
  return async (reservationId, events, hasCaseFile) => {
    const start: ReservationStart = { reservationId, policy };
    const batch: EventBatch = { events, policy };
    const signal = () =>
      client.workflow.getHandle(reservationWorkflowId(reservationId)).signal(eventsSignal, batch);
    const signalWithStart = () =>
      client.workflow.signalWithStart(reservationWorkflow, {
        ...startOptions(start, taskQueue),
        signal: eventsSignal,
        signalArgs: [batch],
      });
    try {
      // with its case file written a workflow still runs for a moment: what it takes is in the case
      await client.withDeadline<unknown>(Date.now() + deadlineMs, hasCaseFile ? signal : signalWithStart);
      return 'sent';
    } catch (error) {
      // asked to start one, no engine misses it: then something on the way to it said so
      if (hasCaseFile && error instanceof WorkflowNotFoundError) return 'closed';
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw classified(error);
    }
    const ended = await howItEnded(client, reservationId, deadlineMs);
    if (ended === 'COMPLETED') return 'closed';
    // Somebody terminated it, or it failed: its events wait for a person, and the inbox says why.
    throw new EventsRefusedError(`WORKFLOW_${ended}`, { whicheverEvent: true });
  };
}

async function howItEnded(client: Client, reservationId: number, deadlineMs: number): Promise<string> {
  const handle = client.workflow.getHandle(reservationWorkflowId(reservationId));
  try {
    const { status } = await client.withDeadline(Date.now() + deadlineMs, () => handle.describe());
    return status.name;
  } catch (error) {
    throw classified(error);
  }
}

/** Only a refused argument, or an event that cannot be encoded, is the events' own fault. */
function classified(error: unknown): Error {
  const code = engineCode(error);
  if (code === null) return new EventsRefusedError('NOT_ENCODED', { cause: error });
  return code === 'INVALID_ARGUMENT'
    ? new EventsRefusedError(code, { cause: error })
    : new EngineUnavailableError(code, { cause: error });
}

/** Null where the call did not get as far as to the engine. */
function engineCode(error: unknown): string | null {
  const grpc = [error, error instanceof Error ? error.cause : undefined].find(isGrpcServiceError);
  if (grpc !== undefined) return statusNames[grpc.code] ?? String(grpc.code);
  if (error instanceof NamespaceNotFoundError) return 'NAMESPACE_NOT_FOUND';
  if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
  return error instanceof ServiceError ? 'UNKNOWN' : null;
}
