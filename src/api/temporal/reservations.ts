import { createHmac, randomBytes } from 'node:crypto';
import { type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { reservationWorkflowId } from '../../contract/names.js';
import {
  type CommandResult,
  type ResolveCommandInput,
  refusalType,
  resolveCommandUpdate,
  viewQuery,
} from '../../contract/reservation.js';
import type { Command, Refusal, ReservationView } from '../../lifecycle/index.js';
import { type ActAnswer, EngineUnavailableError, type Reservations } from '../deps.js';
import { callTemporal } from './calls.js';
import { reservationLists } from './lists.js';

/** How long to wait for Temporal, in ms. An action and the look after it end within the 10 s that a person waits. */
interface Patience {
  view: number;
  update: number;
  look: number;
}
const patience: Patience = { view: 5_000, update: 8_500, look: 1_200 };

/** Reads and moves reservations through Temporal: one by query, lists by visibility, actions by update. */
export function temporalReservations(client: Client, within: Patience = patience): Reservations {
  return {
    view: (id) => viewOf(client, id, within.view),
    list: reservationLists(client).list,
    act: (id, command) => act(client, within, id, command),
    resolve: (id, input, requestId) => update(client, within, id, resolveCommandUpdate, input, requestId),
  };
}

/**
 * L21-L24. What is not applied may have been settled since Temporal kept the update's answer, or the answer did not
 * come in time: then the reservation itself is asked where the command stands.
 */
async function act(client: Client, within: Patience, id: number, command: Command): Promise<ActAnswer> {
  const now = async () => standing(await viewOf(client, id, within.look), command.commandId);
  try {
    const answer = await update(client, within, id, command.action, command, command.commandId);
    if (answer.kind !== 'answered' || answer.command.outcome === 'applied') return answer;
    return (await now().catch(() => undefined)) ?? answer;
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const taken = await now();
    if (taken === undefined) throw error;
    return taken;
  }
}

function standing(reservation: ReservationView | undefined, commandId: string): ActAnswer | undefined {
  const command = reservation?.commands.find((one) => one.commandId === commandId);
  if (reservation === undefined || command === undefined) return undefined;
  return { kind: 'answered', command, reservation };
}

function viewOf(client: Client, id: number, withinMs: number): Promise<ReservationView | undefined> {
  const handle = client.workflow.getHandle(reservationWorkflowId(id));
  return callTemporal(client, withinMs, () => handle.query<ReservationView>(viewQuery));
}

async function update(
  client: Client,
  within: Patience,
  id: number,
  name: string,
  input: Command | ResolveCommandInput,
  requestId: string,
): Promise<ActAnswer> {
  const handle = client.workflow.getHandle(reservationWorkflowId(id));
  const options = { updateId: updateIdOf(requestId, name, input), args: [input] as [typeof input] };
  try {
    const result = await callTemporal(client, within.update, () =>
      handle.executeUpdate<CommandResult, [typeof input]>(name, options),
    );
    if (result !== undefined) return { kind: 'answered', ...result };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { kind: 'refused', refusal };
  }
  // No open workflow takes it: the reservation is closed, or nobody knows it.
  const closed = await viewOf(client, id, within.look);
  return closed === undefined ? { kind: 'no-reservation' } : { kind: 'refused', refusal: isClosed };
}

const isClosed: Refusal = {
  code: 'RESERVATION_TERMINAL',
  message: 'The reservation is closed; nothing can be done about it any more.',
  overridable: false,
};

function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure))
    return undefined;
  return error.cause.type === refusalType ? (error.cause.details?.[0] as Refusal) : undefined;
}

const fingerprintKey = randomBytes(32);

/**
 * The command id, and a mark of what is asked: an equal repeat is answered by the server, while the same id with
 * another body reaches the validator, which refuses it (L21). Update ids are stored in plain text, so the mark is
 * keyed: it tells nothing about a name or a phone number (L60).
 */
function updateIdOf(requestId: string, name: string, input: Command | ResolveCommandInput): string {
  const mark = createHmac('sha256', fingerprintKey)
    .update(JSON.stringify([name, input]))
    .digest('hex');
  return `${requestId}.${mark.slice(0, 16)}`;
}
