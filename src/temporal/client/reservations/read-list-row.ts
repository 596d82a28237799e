import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import { listRowQuery } from '../../../contract/reservation.js';
import type { ListRow } from '../../../domain/reservation/index.js';
import { queryTemporal } from '../query.js';

const withinMs = 10_000;

/** What lists show of a reservation, by its workflow; undefined: it has none. @throws as `queryTemporal` */
export function readListRow(client: Client, reservationId: number): Promise<ListRow | undefined> {
  const query = { workflowId: reservationWorkflowId(reservationId), name: listRowQuery };
  return queryTemporal<ListRow>(client, withinMs, query);
}
