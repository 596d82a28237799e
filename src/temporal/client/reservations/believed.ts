import type { Client } from '@temporalio/client';
import { reservationWorkflow } from '../../../contract/names.js';
import type { Believed } from '../../../domain/reconciliation/believed.js';
import { isTerminal } from '../../../domain/reservation/statuses.js';
import { listedReservation } from './listed.js';

const pageSize = 1_000;
const pageWithinMs = 10_000;

/** What every open reservation believes, from visibility, which lags slightly. @param onPage called after each page */
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
