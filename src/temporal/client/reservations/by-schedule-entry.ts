import type { Client } from '@temporalio/client';
import { reservationIdOf, reservationWorkflow } from '../../../contract/names.js';
import { searchAttributes } from '../../../contract/search-attributes.js';
import type { CarEntry, LookAheadRequest } from '../../../domain/reservation/index.js';
import { listRuns } from '../listed-runs.js';
import { openCondition } from '../open-status.js';

const withinMs = 3_000;

/** The open reservation that an entry belongs to; undefined where none is listed, or the list cannot be read. */
export async function reservationOf(
  client: Client,
  { carId, reservationId }: LookAheadRequest,
  { start }: CarEntry,
): Promise<number | undefined> {
  const iso = (instant: number) => new Date(instant).toISOString();
  try {
    const query = [
      `WorkflowType = '${reservationWorkflow}' AND ${await openCondition(client, withinMs)}`,
      `${searchAttributes.carId.name} = ${carId}`,
      // not every visibility store finds a time by equality
      `${searchAttributes.start.name} >= '${iso(start)}' AND ${searchAttributes.start.name} < '${iso(start + 1_000)}'`,
      `${searchAttributes.status.name} < 20`,
    ].join(' AND ');
    for await (const { workflowId } of listRuns(client, query, { pageSize: 2, withinMs })) {
      const id = reservationIdOf(workflowId);
      if (id !== undefined && id !== reservationId) return id;
    }
    return undefined;
  } catch {
    return undefined;
  }
}
