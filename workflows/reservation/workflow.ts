import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { moveSignal } from '../../src/contract/names.js';
import {
  type BookedNews,
  bookedSignal,
  type CommandInput,
  type CommandResult,
  type EventBatch,
  eventsSignal,
  listRowQuery,
  type ManagerDecision,
  type ManagerDecisions,
  type MarkedView,
  type PreviewInput,
  previewQuery,
  type ReservationStart,
  refusedSignal,
  rowsReturnedSignal,
  scheduledSignal,
  type UnstoredRows,
  type ViewInput,
  viewQuery,
} from '../../src/contract/reservation.js';
import { roleRestoredSignal } from '../../src/contract/role.js';
import {
  actions,
  type EventPreview,
  type ListRow,
  type ReservationView,
  type ScheduleEvidence,
} from '../../src/domain/reservation/index.js';
import { continueAsNewOnCurrentRelease, isReleaseReplaced } from '../shared/release.js';
import { ReservationRun } from './run.js';

const events = defineSignal<[EventBatch]>(eventsSignal);
const scheduled = defineSignal<[ScheduleEvidence]>(scheduledSignal);
const booked = defineSignal<[BookedNews]>(bookedSignal);
const refused = defineSignal(refusedSignal);
const move = defineSignal(moveSignal);
const rowsReturned = defineSignal<[UnstoredRows]>(rowsReturnedSignal);
const roleRestored = defineSignal(roleRestoredSignal);
const viewOf = defineQuery<MarkedView, [ViewInput?]>(viewQuery);
const listRowOf = defineQuery<ListRow>(listRowQuery);
const preview = defineQuery<EventPreview[], [PreviewInput]>(previewQuery);
const staffActions = Object.freeze(
  actions.map((action) => defineUpdate<CommandResult, [CommandInput]>(action)),
);

/**
 * One reservation, from the first news of it until it is closed. Callbacks arrive as signals, which only queue them;
 * staff actions are updates whose validator refuses at once; one loop does everything else.
 */
export async function reservation(start: ReservationStart): Promise<void> {
  const run = new ReservationRun(start);
  // first: a signal that came before the other handlers may be refused
  setHandler(refused, () => run.countSignal());
  setHandler(events, (batch) => run.receiveEvents(batch));
  setHandler(scheduled, (evidence) => run.receiveSchedule(evidence));
  setHandler(booked, (news) => run.receiveBooking(news));
  setHandler(roleRestored, () => run.restoreRole());
  setHandler(move, () => run.countSignal());
  setHandler(rowsReturned, (rows) => run.receiveReturnedRows(rows));
  setHandler(viewOf, (input) => run.markedView(input));
  setHandler(listRowOf, () => run.listRow());
  setHandler(preview, (input) => run.preview(input));
  // one pair of functions for all actions: each function takes memory in every open reservation
  const perform = (command: CommandInput) => run.performAction(command);
  const validator = (command: CommandInput) => run.check(command);
  for (const action of staffActions) setHandler(action, perform, { validator });
  handleDecision(run, 'resolveCommand');
  handleDecision(run, 'resolveAttention');
  handleDecision(run, 'assertFacts');
  // one click on "cancel" in Temporal UI must not end it: it ends by its own rules
  return CancellationScope.nonCancellable(() => runUntilClosed(run));
}

async function runUntilClosed(run: ReservationRun): Promise<void> {
  for (;;) {
    // not the whole outlook, which would stay in memory while the run waits
    const { closed: mayClose } = run.step();
    if (run.mayRecord) await run.record();
    const closed = mayClose && run.isDone && (await run.file());
    if (run.hasWork) continue;
    if (!closed && !mayContinueAsNew(run)) {
      await run.waitForWork();
      continue;
    }
    // a message that arrives while the run waits to end is work: the run continues
    await condition(() => run.hasWork || (run.isIdle && allHandlersFinished()));
    if (run.hasWork) continue;
    if (closed) return;
    await continueAsNewOnCurrentRelease<typeof reservation>(run.carry());
  }
}

function handleDecision<S extends ManagerDecision>(run: ReservationRun, name: S): void {
  const update = defineUpdate<ReservationView, [ManagerDecisions[S]]>(name);
  setHandler(update, (input) => run.applyDecision(name, input), {
    validator: (input) => run.checkDecision(name, input),
  });
}

/** A full run waits for the database; a run of 0.2.0 continued as new regardless. */
function mayContinueAsNew(run: ReservationRun): boolean {
  return isLong(run) && !(run.isFull && patched('full-runs-wait'));
}

/**
 * Signals do not count towards the server's suggestion to continue as new, so they are counted here. A run that has
 * done no work yet is never long: however low the limit, each run does something. A run whose release is replaced moves to
 * the new one in the same way.
 */
function isLong(run: ReservationRun): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const { signalsPerRun, historyEventsPerRun } = run.policy;
  const full = run.signals >= signalsPerRun || historyLength >= historyEventsPerRun;
  return continueAsNewSuggested || ((full || isReleaseReplaced()) && run.hasWorked);
}
