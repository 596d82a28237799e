import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import { viewOfToday } from '../../../contract/older-view.js';
import { type MarkedView, type ViewInput, viewQuery } from '../../../contract/reservation.js';
import {
  type Command,
  commandIdReused,
  commandKey,
  type ReservationView,
} from '../../../domain/reservation/index.js';
import { type KeyMark, markOf, standingOf } from '../../../domain/shared/idempotency.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { queryTemporal } from '../query.js';
import type { ActionReply } from './types.js';
import { hasWaitingEvents } from './waiting-events.js';

/** The workflow's own view. @returns undefined: no workflow answers for this id */
export async function viewOf(
  client: Client,
  id: number,
  withinMs: number,
): Promise<ReservationView | undefined> {
  const view = await readView(client, id, withinMs, []);
  return view && viewOfToday(view);
}

/**
 * The view of a reservation whose workflow was ended before it was closed; undefined also where events wait that no task will
 * ever contain: it refuses each query.
 */
export async function viewOfEnded(
  client: Client,
  id: number,
  withinMs: number,
): Promise<ReservationView | undefined> {
  try {
    return await viewOf(client, id, withinMs);
  } catch (error) {
    const isFailed = error instanceof EngineUnavailableError && error.code === 'QUERY_FAILED';
    // it failed for another reason, such as a key that is missing, where none wait or this cannot be read
    const isRefused =
      isFailed && (await hasWaitingEvents(client, reservationWorkflowId(id), withinMs).catch(() => false));
    if (isRefused) return undefined;
    throw error;
  }
}

/** The workflow's answer to a known command; undefined: the command is unknown, or there is no workflow. */
export async function readAnswer(
  client: Client,
  id: number,
  withinMs: number,
  command: Command,
): Promise<ActionReply | undefined> {
  const input: ViewInput = { withMarks: true };
  const read = await readView(client, id, withinMs, [input]);
  if (read === undefined) return undefined;
  const { commandMarks = [], ...view } = read;
  return knownAnswer(viewOfToday(view), () => commandMarks, command);
}

/**
 * A reservation's answer to a known command (L21); undefined: the command is unknown.
 * @param readMarks reads the marks of its keys, only for a known command; for a key without a mark, as earlier versions stored
 * it, only the action is compared
 */
export async function knownAnswer(
  reservation: ReservationView,
  readMarks: () => KeyMark[] | Promise<KeyMark[]>,
  { commandId, action, body }: Command,
): Promise<ActionReply | undefined> {
  const command = reservation.commands.find((one) => one.commandId === commandId);
  if (command === undefined) return undefined;
  const knownMark = async () => (await readMarks()).find(({ key }) => key === commandKey(commandId))?.mark;
  const isSame =
    command.action === action && standingOf({ mark: await knownMark() }, markOf(action, body)) === 'same';
  return isSame
    ? { kind: 'answered', command, reservation }
    : { kind: 'refused', refusal: commandIdReused() };
}

function readView(
  client: Client,
  id: number,
  withinMs: number,
  args: ViewInput[],
): Promise<MarkedView | undefined> {
  const query = { workflowId: reservationWorkflowId(id), name: viewQuery, args };
  return queryTemporal<MarkedView>(client, withinMs, query);
}
