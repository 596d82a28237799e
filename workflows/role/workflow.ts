import {
  CancellationScope,
  condition,
  defineSignal,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { type RoleStart, type Suspension, suspendedSignal } from '../../src/contract/role.js';
import { backoffMs } from '../../src/domain/shared/backoff.js';
import { continueAsNewOnCurrentRelease, isReleaseReplaced } from '../shared/release.js';
import { RoleRun } from './run.js';

const suspended = defineSignal<[Suspension]>(suspendedSignal);

/** Signals do not count towards the server's suggestion to continue as new. */
const signalsPerRun = 1_000;
const longestWaitMs = 30 * 60_000;

/**
 * A role whose key the platform refused (L30), from the first refusal until the key works: raises one alert, tries the
 * key at intervals, and notifies every reservation that waits. A single 403 about one reservation raises no alert, because
 * the key is tried first.
 */
export async function role(start: RoleStart): Promise<void> {
  const run = new RoleRun(start);
  setHandler(suspended, (suspension) => run.recordSuspension(suspension));
  // one click on "cancel" in Temporal UI must not leave reservations waiting
  await CancellationScope.nonCancellable(() => runUntilRestored(run, start.probeMs));
}

async function runUntilRestored(run: RoleRun, probeMs: number): Promise<void> {
  for (;;) {
    if (await run.tryKey()) {
      // the run waits a moment: a reservation that is refused again is not notified at once that the key works
      await wait(probeMs, () => run.isReported);
      if (!run.isReported) return;
      if (run.hasRelapsed) {
        await run.handleRelapse();
        await wait(backoffMs(run.relapses + 1, { firstMs: probeMs, longestMs: longestWaitMs }));
      }
    } else {
      await wait(probeMs);
    }
    if (isLong(run)) await continueAsNewOnCurrentRelease<typeof role>(run.carry());
  }
}

/** Where `unless` becomes true first, the timer still runs to its end. */
async function wait(ms: number, unless: () => boolean = () => false): Promise<void> {
  let isOver = false;
  void sleep(ms, { summary: 'next try of the key' }).then(() => {
    isOver = true;
  });
  await condition(() => isOver || unless());
}

function isLong(run: RoleRun): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const full = run.signals >= signalsPerRun || historyLength >= run.historyEventsPerRun;
  return continueAsNewSuggested || full || isReleaseReplaced();
}
