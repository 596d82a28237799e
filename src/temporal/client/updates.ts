import { createHmac, randomBytes } from 'node:crypto';
import { type Client, WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { reservationWorkflow, reservationWorkflowId } from '../../contract/names.js';
import { rfc3339Times } from '../../contract/older-view.js';
import {
  type ManagerDecision,
  type ReservationStart,
  refusalType,
  startOptions,
} from '../../contract/reservation.js';
import type { Command, Refusal } from '../../domain/reservation/index.js';
import { callTemporal } from './calls.js';

/** An update of a reservation. The server answers an equal `updateId` with the stored result. */
export interface Update {
  name: string;
  input: object;
  updateId: string;
}
type ReservationWorkflow = (start: ReservationStart) => Promise<void>;
type Refused<R = Refusal> = { kind: 'refused'; refusal: R };

/** @throws `EngineUnavailableError` where no answer came in time */
export async function sendUpdate<Result>(
  client: Client,
  withinMs: number,
  reservationId: number,
  update: Update,
): Promise<{ kind: 'answered'; result: Result } | Refused | { kind: 'not-open' }> {
  return sendUpdateTo(client, withinMs, reservationWorkflowId(reservationId), update);
}

/**
 * The same to any workflow whose refusals are of the type `R`; without an `updateId` the workflow itself recognises a repeat.
 * @throws `EngineUnavailableError` where no answer came in time
 */
export async function sendUpdateTo<Result, R = Refusal>(
  client: Client,
  withinMs: number,
  workflowId: string,
  { name, input, updateId }: Omit<Update, 'updateId'> & Partial<Update>,
): Promise<{ kind: 'answered'; result: Result } | Refused<R> | { kind: 'not-open' }> {
  const handle = client.workflow.getHandle(workflowId);
  const options = { ...(updateId !== undefined && { updateId }), args: [input] as [object] };
  return catchRefusal<{ kind: 'answered'; result: Result } | { kind: 'not-open' }, R>(async () => {
    const result = await callTemporal(client, withinMs, () =>
      handle.executeUpdate<Result, [object]>(name, options).catch(unlessRunEnded),
    );
    return result === undefined
      ? { kind: 'not-open' as const }
      : { kind: 'answered' as const, result: rfc3339Times(result) };
  });
}

/**
 * Starts the reservation's workflow with its first update. It costs several times a signal, so it is for the rare
 * reservation that a person adopts.
 */
export async function sendUpdateWithStart<Result>(
  client: Client,
  taskQueue: string,
  withinMs: number,
  start: ReservationStart,
  update: Update,
): Promise<{ kind: 'answered'; result: Result } | Refused | { kind: 'no-reservation' }> {
  const startWorkflowOperation = new WithStartWorkflowOperation<ReservationWorkflow>(reservationWorkflow, {
    ...startOptions(start, taskQueue),
    // a manager may start one again that was terminated, or failed; never one that closed
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const options = { updateId: update.updateId, args: [update.input] as [object], startWorkflowOperation };
  return catchRefusal(async () => {
    const result = await callTemporal(client, withinMs, () =>
      client.workflow
        .executeUpdateWithStart<ReservationWorkflow, Result, [object]>(update.name, options)
        .catch(unlessRunEnded),
    );
    return result === undefined
      ? { kind: 'no-reservation' as const }
      : { kind: 'answered' as const, result: rfc3339Times(result) };
  });
}

/** The run ended while an update that it had accepted was under way: there is no result, and nothing is open. */
function unlessRunEnded(error: unknown): undefined {
  if (failureOf(error)?.type === 'AcceptedUpdateCompletedWorkflow') return undefined;
  throw error;
}

/** A refusal of the workflow is an answer, not an error (L20, L21). */
async function catchRefusal<T, R = Refusal>(send: () => Promise<T>): Promise<T | Refused<R>> {
  try {
    return await send();
  } catch (error) {
    const refusal = refusalOf<R>(error);
    if (refusal === undefined) throw error;
    return { kind: 'refused', refusal };
  }
}

/** The refusal of an update; undefined for any other error. */
function refusalOf<R>(error: unknown): R | undefined {
  const failure = failureOf(error);
  return failure?.type === refusalType ? (failure.details?.[0] as R) : undefined;
}

/** Why an update failed; undefined for any other error. */
function failureOf(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

const fingerprintKey = randomBytes(32);

/**
 * The update id of a command: its id and a mark of its content. The server answers an equal repeat, while the same id
 * with another body reaches the validator, which refuses it (L21). Update ids are stored in plain text, so the mark
 * is keyed: it reveals nothing about a name or a phone number (L60).
 */
export function commandUpdateId(command: Command): string {
  return `${command.commandId}.${keyedMark(command)}`;
}

/**
 * A settlement acts once per caller's key, whichever process it comes through. The server answers an equal repeat
 * with the stored result; any other reaches the reservation, which knows the newest keys and refuses another body (L21).
 */
export function decisionUpdateId(name: ManagerDecision, requestId: string, input: object): string {
  return `${name}.${requestId}.${keyedMark(input)}`;
}

function keyedMark(content: object): string {
  return createHmac('sha256', fingerprintKey).update(JSON.stringify(content)).digest('hex').slice(0, 16);
}
