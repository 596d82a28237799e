import type { Client } from '@temporalio/client';
import { reservationWorkflow } from '../../../contract/names.js';
import type { Believed } from '../../../domain/reconciliation/believed.js';
import { isTerminal } from '../../../domain/reservation/statuses.js';
import { listRuns } from '../listed-runs.js';
import { openCondition } from '../open-status.js';
import { listedReservation } from './listed.js';

const withinMs = 10_000;

/** What every open reservation believes, from visibility, which lags slightly. @param onPage called after each page */
export async function openReservations(client: Client, onPage: () => void): Promise<Believed[]> {
  const query = `WorkflowType = '${reservationWorkflow}' AND ${await openCondition(client, withinMs)}`;
  const found: Believed[] = [];
  for await (const run of listRuns(client, query, { withinMs, onPage })) {
    const listed = listedReservation(run);
    if (listed === undefined) continue;
    const { reservationId, carId, companyId, period, status } = listed;
    found.push({ reservationId, carId, companyId, period, ended: status !== null && isTerminal(status) });
  }
  return found;
}
