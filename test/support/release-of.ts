import { eventually } from './eventually.js';
import type { TestReservation } from './reservations.js';

type Run = Pick<TestReservation, 'handle'>;

/** The build id to which a run is pinned; undefined: to none. */
export async function releaseOf({ handle }: Run): Promise<string | undefined> {
  const { raw } = await handle.describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

export async function runsOn(run: Run, buildId: string): Promise<void> {
  await eventually(`it runs on ${buildId}`, async () => (await releaseOf(run)) === buildId, 20_000);
}
