import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import { viewOfToday } from '../../../contract/older-view.js';
import { viewQuery } from '../../../contract/reservation.js';
import type { ReservationView } from '../../../domain/reservation/index.js';
import { queryTemporal } from '../query.js';
import type { ActionAnswer } from './types.js';

/** The workflow's own view. @returns undefined: no workflow answers for this id */
export async function viewOf(
  client: Client,
  id: number,
  withinMs: number,
): Promise<ReservationView | undefined> {
  const query = { workflowId: reservationWorkflowId(id), name: viewQuery };
  const view = await queryTemporal<ReservationView>(client, withinMs, query);
  return view && viewOfToday(view);
}

/** Where a reservation stands with a command. @returns undefined: it does not know the command */
export function standing(
  reservation: ReservationView | undefined,
  commandId: string,
): ActionAnswer | undefined {
  const command = reservation?.commands.find((one) => one.commandId === commandId);
  if (reservation === undefined || command === undefined) return undefined;
  return { kind: 'answered', command, reservation };
}
