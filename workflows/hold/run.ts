import {
  ApplicationFailure,
  CancellationScope,
  condition,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import type { HoldCommandResult, HoldRecord, HoldStart } from '../../src/contract/hold.js';
import * as holds from '../../src/domain/hold/index.js';
import { jitter } from '../shared/backoff.js';
import { DeadlineTimer } from '../shared/deadline-timer.js';
import { refuseIfAny } from '../shared/refuse.js';
import { WakeUp } from '../shared/wake-up.js';
import { HoldRow } from './row.js';
import { performStep } from './steps.js';

/** A person waits 10 s, network time included. */
const answerWithin = '7s';
/** The shortest wait before an unanswered query to the database is repeated. */
const askAgainAfterMs = 15_000;

type HoldCommandName = 'change' | 'release' | 'resolve';
const commands = {
  change: { check: holds.checkChange, apply: holds.changeHold },
  release: { check: holds.checkRelease, apply: holds.releaseHold },
  resolve: { check: holds.checkResolve, apply: holds.resolveHold },
} as const;

/** One run of a hold: its state in memory, and the effects that its decisions require. */
export class HoldRun {
  // Carried through continue-as-new
  private state: holds.HoldState;
  /** The facts that the row was last written with. */
  private recorded: string;
  /** Steps begun so far, in all runs. */
  private steps: number;
  /** Distinguishes counts of steps: 0.2.0 did not pass the count to the next run, so that run starts another. */
  private readonly series: string | undefined;
  // Of this run alone
  /** This run has had something to do, beyond taking over the state. */
  hasWorked = false;
  private isStepDue = false;
  /** Decided once a run, at its first unanswered query: a run that began under 0.2.0 repeats it soon. */
  private mayAskLater: boolean | undefined;
  private readonly wakeUp = new WakeUp();
  private readonly row = new HoldRow(() => this.wakeUp.trigger());
  private readonly deadlineTimer = new DeadlineTimer(() => this.wakeUp.trigger());

  constructor(private readonly start: HoldStart) {
    const { request, zoneOffsetMinutes, carried } = start;
    this.state = carried?.state ?? holds.newHold(request, zoneOffsetMinutes, Date.now());
    this.recorded = carried?.recorded ?? '';
    this.steps = carried?.steps ?? 0;
    const isCounted = carried === undefined || carried.steps !== undefined;
    this.series = isCounted ? carried?.series : workflowInfo().originalExecutionRunId;
  }

  get historyEventsPerRun(): number {
    return this.start.historyEventsPerRun;
  }

  view(): holds.HoldView {
    return holds.holdView(this.state, Date.now());
  }

  /** Validator: refuses at once, and nothing reaches the history. */
  check(name: HoldCommandName, input: holds.ChangeHold & holds.EndHold): void {
    refuseIfAny(commands[name].check(this.state, input, Date.now()));
  }

  /** Update: a repeat of the same id gets the outcome of the first. */
  async applyCommand(
    name: HoldCommandName,
    input: holds.ChangeHold | holds.EndHold,
  ): Promise<HoldCommandResult> {
    const request = input as holds.ChangeHold & holds.EndHold;
    refuseIfAny(commands[name].check(this.state, request, Date.now()));
    this.state = commands[name].apply(this.state, request, Date.now());
    this.isStepDue = true;
    this.wakeUp.trigger();
    await this.waitUntil(() => this.commandOf(input.commandId)?.outcome !== 'out');
    const hold = this.view();
    const command = hold.commands.find(({ commandId }) => commandId === input.commandId);
    if (command === undefined) throw ApplicationFailure.nonRetryable('the command is not stored');
    return { command, hold };
  }

  /** Signal: the loop checks whether the release of this run is replaced. */
  requestMove(): void {
    this.isStepDue = true;
    this.wakeUp.trigger();
  }

  /** Update: answers when the hold is in place, or will not get there without a person. */
  async waitForResult(): Promise<holds.HoldView> {
    await this.waitUntil(() => this.view().state !== 'placing' && this.view().state !== 'releasing');
    return this.view();
  }

  /** Applies what time alone changes, and returns the next step. */
  decide(): holds.HoldStep {
    this.isStepDue = false;
    this.deadlineTimer.reset();
    const { state, step } = holds.decideHold(this.state, Date.now());
    this.state = state;
    return step;
  }

  async perform(step: Exclude<holds.HoldStep, { do: 'wait' | 'end' }>): Promise<void> {
    this.hasWorked = true;
    this.steps += 1;
    const { zoneOffsetMinutes } = this.state;
    const series = this.series === undefined ? '' : `${this.series}:`;
    const command = `hold:${this.start.request.holdId}:${step.do}#${series}${this.steps}`;
    const applyAnswer = await performStep(step, {
      zoneOffsetMinutes,
      command,
      askLaterMs: () => this.askLaterMs(),
    });
    this.state = applyAnswer(this.state, Date.now());
  }

  /** Waits until an instant, or until a request arrives. */
  async wait(until: number): Promise<void> {
    if (this.isStepDue || this.deadlineTimer.hasFired) return;
    const { dueAt } = this.row;
    this.deadlineTimer.set(this.isUnwritten && dueAt !== null ? Math.min(until, dueAt) : until);
    await this.wakeUp.next();
    this.hasWorked = true;
  }

  /** Only the row is left to write: a hold does not end before that (F16). */
  waitToRecord(): Promise<void> {
    const { dueAt } = this.row;
    return dueAt === null ? this.wakeUp.next() : this.wait(dueAt);
  }

  /** The row is out of date, and a write may be tried. A database that is down blocks nothing else. */
  get mustRecord(): boolean {
    const { dueAt } = this.row;
    return this.isUnwritten && dueAt !== null && Date.now() >= dueAt;
  }

  /** The row, or an audit entry, is not in the database in its present form. */
  get isUnwritten(): boolean {
    return this.state.audit.length > 0 || this.recorded !== this.facts();
  }

  record(): Promise<void> {
    const at = Date.now();
    const { audit } = this.state;
    const facts = this.facts();
    const record: HoldRecord = { at, facts: holds.holdFacts(this.state, at), view: this.view(), audit };
    return this.row.write(record, () => {
      this.recorded = facts;
      const left = this.state.audit.filter(({ seq }) => !audit.some((line) => line.seq === seq));
      this.state = { ...this.state, audit: left };
    });
  }

  /** Undefined: at the usual interval. */
  private askLaterMs(): number | undefined {
    this.mayAskLater ??= patched('unanswered-turns-are-asked-later');
    return this.mayAskLater ? Math.round(askAgainAfterMs * jitter()) : undefined;
  }

  carry(): HoldStart {
    const { state, recorded, steps, series } = this;
    return { ...this.start, carried: { state, recorded, steps, ...(series !== undefined && { series }) } };
  }

  private facts(): string {
    return JSON.stringify([
      holds.holdFacts(this.state, Date.now()),
      this.state.entry.kind,
      this.state.memoId,
    ]);
  }

  private commandOf(commandId: string): holds.HoldCommand | undefined {
    return this.state.commands.find((command) => command.commandId === commandId);
  }

  private waitUntil(holdsTrue: () => boolean): Promise<boolean> {
    return CancellationScope.nonCancellable(() => condition(holdsTrue, answerWithin));
  }
}
