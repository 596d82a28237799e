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
import { queryTemporal } from '../query.js';
import type { ActionReply } from './types.js';

/** The workflow's own view. @returns undefined: no workflow answers for this id */
export async function viewOf(
  client: Client,
  id: number,
  withinMs: number,
): Promise<ReservationView | undefined> {
  const view = await readView(client, id, withinMs, []);
  return view && viewOfToday(view);
}

/** What the workflow answers to a command that it knows; undefined: it does not know it, or there is no workflow. */
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
  return knownAnswer(viewOfToday(view), commandMarks, command);
}

/**
 * What a reservation answers to a command that it knows (L21); undefined: it does not know it.
 * @param marks of its keys; of a key without one, as earlier versions stored it, the action alone is compared
 */
export function knownAnswer(
  reservation: ReservationView,
  marks: KeyMark[],
  { commandId, action, body }: Command,
): ActionReply | undefined {
  const command = reservation.commands.find((one) => one.commandId === commandId);
  if (command === undefined) return undefined;
  const known = marks.find(({ key }) => key === commandKey(commandId));
  const isAnother =
    command.action !== action || standingOf({ mark: known?.mark }, markOf(action, body)) === 'other';
  if (isAnother) return { kind: 'refused', refusal: commandIdReused() };
  return { kind: 'answered', command, reservation };
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
