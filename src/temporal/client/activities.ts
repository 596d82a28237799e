import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { ifFound, inTime } from './calls.js';

const withinMs = 1_500;

/** One activity of a run. */
interface ActivityOfRun {
  workflowId: string;
  runId: string;
  activityId: string;
}

/**
 * When the server started an activity that it still waits for.
 * @returns an instant of the server's clock; null where it does not wait for it
 * @throws the service's error
 */
export async function pendingActivityStart(
  client: Pick<Client, 'workflow' | 'withDeadline'>,
  { workflowId, runId, activityId }: ActivityOfRun,
): Promise<number | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const run = await ifFound(inTime(client, withinMs, () => handle.describe()));
  const pending = run?.raw.pendingActivities?.find((one) => one.activityId === activityId);
  return optionalTsToMs(pending?.lastStartedTime) ?? null;
}
