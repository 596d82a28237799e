import type { Client } from '@temporalio/client';
import { reservationIdOf } from '../../../contract/names.js';
import type { EndedReservations } from '../../../store/reservations/ended.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { inTime } from '../calls.js';
import { listRuns } from '../listed-runs.js';
import { isOpenStatus } from '../open-status.js';

const withinMs = 10_000;
/** How workflows end that did not close. */
const endings = ['Terminated', 'Failed', 'TimedOut', 'Canceled'];
const query = `WorkflowType = "reservation" AND ExecutionStatus IN (${endings.map((one) => `"${one}"`).join(', ')})`;

/**
 * Records the reservations whose workflow was ended, before Temporal deletes it, also those without further callbacks. Skips
 * one that runs again, and one that never ran because its starts were refused.
 * @returns how many it noted
 */
export async function noteEnded(
  client: Client,
  ended: EndedReservations,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let noted = 0;
  for await (const { workflowId } of listRuns(client, query)) {
    if (isStopping()) break;
    const id = reservationIdOf(workflowId);
    if (id === undefined || (await ended.has(id))) continue;
    const run = await inTime(client, withinMs, () => newestAcceptedRun(client, workflowId));
    if (run === null || isOpenStatus(run.status) || run.status === 'COMPLETED') continue;
    await ended.note(id, `WORKFLOW_${run.status}`, Date.now());
    noted += 1;
  }
  return noted;
}
