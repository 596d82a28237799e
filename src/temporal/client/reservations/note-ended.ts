import type { Client } from '@temporalio/client';
import { reservationIdOf } from '../../../contract/names.js';
import type { EndedReservations } from '../../../store/reservations/ended.js';
import { newestAcceptedRun } from '../accepted-run.js';
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
  const { namespace } = client.options;
  const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  let noted = 0;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await inTime(() =>
      client.workflowService.listWorkflowExecutions({
        namespace,
        query,
        pageSize: 200,
        ...(nextPageToken !== undefined && { nextPageToken }),
      }),
    );
    for (const { execution } of page.executions ?? []) {
      const workflowId = execution?.workflowId ?? '';
      const id = reservationIdOf(workflowId);
      if (id === undefined || (await ended.has(id))) continue;
      const run = await inTime(() => newestAcceptedRun(client, workflowId));
      if (run === null || isOpenStatus(run.status) || run.status === 'COMPLETED') continue;
      await ended.note(id, `WORKFLOW_${run.status}`, Date.now());
      noted += 1;
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined && !isStopping());
  return noted;
}
