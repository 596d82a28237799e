import { setTimeout as wait } from 'node:timers/promises';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/** What the server skips in no time, unless its time is locked. */
const skippedMs = 60_000;
/** How long that may take on a busy machine. */
const skippedWithinMs = 2_000;
/** A run that is busy for longer is ended as it is. */
const drainMs = 1_000;

/**
 * Lets a time-skipping server skip time again. The server locks its time while a task or an activity is on its way, and
 * never unlocks it when the run is ended meanwhile. Call it where no run is open and no worker polls any more: every
 * lock that is left then is such a lost one. Another kind of server is left alone.
 */
export async function releaseLostTimeLocks(env: object): Promise<void> {
  if (!(env instanceof TestWorkflowEnvironment) || !env.supportsTimeSkipping) return;
  let released = 0;
  let passed = false;
  const sleep = env.sleep(skippedMs).finally(() => {
    passed = true;
  });
  while (!passed) {
    await Promise.race([sleep, wait(skippedWithinMs)]);
    if (passed) break;
    // refused where nothing is locked: then the sleep only takes its time
    await env.connection.testService?.unlockTimeSkipping({}).catch(() => {});
    released += 1;
  }
  await sleep;
  // one too many, where the sleep passed at that moment: this one fails, and its end takes the lock again
  if (released > 0) await env.sleep(skippedMs).catch(() => {});
}

/** Ends a run once no activity and no task of it is on its way, or after a second. A run that has ended is left alone. */
export async function endRun(handle: Pick<WorkflowHandle, 'describe' | 'terminate'>): Promise<void> {
  const giveUpAt = Date.now() + drainMs;
  while ((await isBusy(handle)) && Date.now() < giveUpAt) await wait(20);
  await handle.terminate('the test is over').catch((error) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}

async function isBusy(handle: Pick<WorkflowHandle, 'describe'>): Promise<boolean> {
  const { raw } = await handle.describe().catch(() => ({ raw: undefined }));
  return (raw?.pendingActivities?.length ?? 0) > 0 || raw?.pendingWorkflowTask != null;
}
