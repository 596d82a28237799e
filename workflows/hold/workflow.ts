import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  awaitHoldUpdate,
  changeHoldUpdate,
  type HoldCommandResult,
  type HoldStart,
  holdQuery,
  releaseHoldUpdate,
  resolveHoldUpdate,
} from '../../src/contract/hold.js';
import { moveSignal } from '../../src/contract/names.js';
import type { ChangeHold, EndHold, HoldView } from '../../src/domain/hold/index.js';
import { continueAsNewOnCurrentRelease, isReleaseReplaced } from '../shared/release.js';
import { HoldRun } from './run.js';

const viewOf = defineQuery<HoldView>(holdQuery);
const move = defineSignal(moveSignal);
const awaitHold = defineUpdate<HoldView>(awaitHoldUpdate);
const change = defineUpdate<HoldCommandResult, [ChangeHold]>(changeHoldUpdate);
const release = defineUpdate<HoldCommandResult, [EndHold]>(releaseHoldUpdate);
const resolve = defineUpdate<HoldCommandResult, [EndHold]>(resolveHoldUpdate);

/**
 * A car out of service (`hold-{holdId}`), from the request until nothing is left to do: an entry in the platform's
 * schedule, a memo and, where requested, the car's sale status in every product (F01-F19). Requests are updates; one loop
 * does everything else, one step at a time.
 */
export async function hold(start: HoldStart): Promise<void> {
  const run = new HoldRun(start);
  setHandler(move, () => run.requestMove());
  setHandler(viewOf, () => run.view());
  setHandler(awaitHold, () => run.waitForResult());
  setHandler(change, (input) => run.applyCommand('change', input), {
    validator: (input) => run.check('change', input),
  });
  setHandler(release, (input) => run.applyCommand('release', input), {
    validator: (input) => run.check('release', input),
  });
  setHandler(resolve, (input) => run.applyCommand('resolve', input), {
    validator: (input) => run.check('resolve', input),
  });
  // one click on "cancel" in Temporal UI must not leave half a hold in place
  await CancellationScope.nonCancellable(() => runUntilOver(run));
}

async function runUntilOver(run: HoldRun): Promise<void> {
  for (;;) {
    const step = run.decide();
    if (run.mustRecord) await run.record();
    else if (step.do === 'end' && !run.isUnwritten) return condition(allHandlersFinished);
    else if (isLong(run) && allHandlersFinished()) {
      await continueAsNewOnCurrentRelease<typeof hold>(run.carry());
    } else if (step.do === 'end') await run.waitToRecord();
    else if (step.do === 'wait') await run.wait(step.until);
    else await run.perform(step);
  }
}

function isLong(run: HoldRun): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const full = historyLength >= run.historyEventsPerRun;
  return continueAsNewSuggested || (run.hasWorked && (full || isReleaseReplaced()));
}
