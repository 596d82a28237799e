import type { Client } from '@temporalio/client';
import { and, gt, lt } from 'drizzle-orm';
import { listedReservation } from '../contract/listed-reservation.js';
import { reservationWorkflow } from '../contract/names.js';
import type { HandoverDb } from '../db/handover.js';
import { caseFiles } from '../db/schema.js';
import type { BelievedReservation } from '../fleet/reconciliation/index.js';
import { isTerminal } from '../lifecycle/statuses.js';

const pageSize = 1_000;
const pageWithinMs = 10_000;

type Believed = Omit<BelievedReservation, 'scheduleId'>;

/** What every open reservation believes, from visibility: it lags behind a moment. @param onPage told after each page */
export async function openReservations(client: Client, onPage: () => void): Promise<Believed[]> {
  const { namespace } = client.options;
  const query = `WorkflowType = '${reservationWorkflow}' AND ExecutionStatus = 'Running'`;
  const found: Believed[] = [];
  let nextPageToken: Uint8Array | null | undefined;
  do {
    const request = { namespace, query, pageSize, ...(nextPageToken && { nextPageToken }) };
    const answer = await client.withDeadline(Date.now() + pageWithinMs, () =>
      client.workflowService.listWorkflowExecutions(request),
    );
    for (const listed of (answer.executions ?? []).map(listedReservation)) {
      if (listed === undefined) continue;
      const { reservationId, carId, companyId, period, status } = listed;
      found.push({ reservationId, carId, companyId, period, ended: status !== null && isTerminal(status) });
    }
    nextPageToken = answer.nextPageToken;
    onPage();
  } while (nextPageToken && nextPageToken.length > 0);
  return found;
}

/** Closed reservations whose period lies in [from, to), wholly or partly; instants. */
export async function closedReservations(
  db: HandoverDb,
  { from, to }: { from: number; to: number },
): Promise<Believed[]> {
  const rows = await db
    .select({
      reservationId: caseFiles.reservationId,
      carId: caseFiles.carId,
      companyId: caseFiles.companyId,
      start: caseFiles.startAt,
      end: caseFiles.endAt,
    })
    .from(caseFiles)
    .where(and(lt(caseFiles.startAt, to), gt(caseFiles.endAt, from)));
  return rows.map(({ start, end, ...row }) => ({
    ...row,
    period: start === null || end === null ? null : { start, end },
    ended: true,
  }));
}
