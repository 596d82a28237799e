import { CancellationScope, condition, patched } from '@temporalio/workflow';
import type {
  BookedNews,
  CommandInput,
  CommandResult,
  EventBatch,
  ManagerDecision,
  ManagerDecisions,
  MarkedView,
  PersonNamed,
  PreviewInput,
  ReservationStart,
  UnstoredRows,
  ViewInput,
} from '../../src/contract/reservation.js';
import * as lifecycle from '../../src/domain/reservation/index.js';
import { noEvents, tooManyRows } from '../../src/domain/reservation/refusals.js';
import { waitsFor } from '../../src/domain/shared/outcome.js';
import { DeadlineTimer } from '../shared/deadline-timer.js';
import { refuse, refuseIfAny } from '../shared/refuse.js';
import { WakeUp } from '../shared/wake-up.js';
import { AttentionPosts } from './attention-posts.js';
import { DecisionKeys } from './decision-keys.js';
import { LookAheads } from './look-aheads.js';
import { managerDecisions } from './manager-decisions.js';
import { PendingUpdates } from './pending-updates.js';
import { Projection } from './projection.js';
import { RecallNotes } from './recall-notes.js';
import { Requests } from './requests.js';
import { Rows } from './rows.js';

/** The start of a run brings its first event. Where an update started the run and was lost, no event comes. */
const firstEventWithinMs = 5_000;

/** One run of a reservation workflow: its state in memory, and the effects that the lifecycle's decisions require. */
export class ReservationRun {
  // Carried through continue-as-new
  private state: lifecycle.ReservationState;
  private readonly rows: Rows;
  private readonly posts: AttentionPosts;
  private readonly decisionKeys: DecisionKeys;
  // Of this run alone
  private waitingEvents: lifecycle.ReservationEvent[] = [];
  private waitingEvidence: lifecycle.ScheduleEvidence[] = [];
  private isStepDue = false;
  private readonly requests: Requests;
  signals = 0;
  /** This run has had something to do, beyond taking over the state. */
  hasWorked = false;
  /** Applies from the next run on: within one run the rules do not change. */
  private newestPolicy: lifecycle.Policy;
  /** False until the first event has arrived: a workflow task can bring an update before the signal that started the run. */
  private hasFirstEvent: boolean;
  /** Instant from which on commands are refused where there was no event. */
  private readonly noEventsAfter: number;
  /** Updates whose command has no answer yet. */
  private readonly pendingUpdates = new PendingUpdates();
  private readonly lookAheads = new LookAheads((request, answer) => {
    this.applyStep(lifecycle.applyLookAhead(this.state, request, answer, Date.now()));
    this.requestStep();
  });
  private readonly recallNotes: RecallNotes;
  private readonly wakeUp = new WakeUp();
  private readonly deadlineTimer = new DeadlineTimer(() => this.wakeUp.trigger());
  private readonly projection = new Projection();

  constructor(private readonly start: ReservationStart) {
    const { reservationId, policy, direct, carried } = start;
    this.state =
      carried === undefined
        ? lifecycle.newReservation(reservationId, policy, Date.now())
        : lifecycle.withPolicy(carried.state, policy);
    this.posts = new AttentionPosts(reservationId, carried?.unposted ?? [], (sendAt) => {
      this.deadlineTimer.set(sendAt);
      this.requestStep();
    });
    this.rows = new Rows(
      reservationId,
      carried?.unrecorded ?? { verdicts: [], entries: [] },
      {
        row: () => this.listRow(),
        onPosts: (entries) => this.posts.add(entries),
        retried: () => this.requestStep(),
        writeLater: (writeAt) => this.deadlineTimer.set(writeAt),
      },
      direct,
    );
    this.requests = new Requests(
      reservationId,
      () => this.wakeUp.trigger(),
      () => this.requestStep(),
    );
    this.recallNotes = new RecallNotes(
      reservationId,
      ({ commandId }, answer) => {
        this.applyStep(lifecycle.applyNoteAnswer(this.state, commandId, answer, Date.now()));
        this.requestStep();
      },
      () => this.requestStep(),
    );
    this.decisionKeys = new DecisionKeys(carried ?? {});
    this.hasFirstEvent = carried !== undefined;
    this.noEventsAfter = Date.now() + firstEventWithinMs;
    this.newestPolicy = policy;
  }

  /** Signal: events wait here for the loop. */
  receiveEvents({ events, policy }: EventBatch): void {
    this.signals += 1;
    this.applyPolicy(policy);
    this.hasFirstEvent = true;
    this.waitingEvents.push(...events);
    this.wakeUp.trigger();
  }

  /** Signal: a booking of ours became this reservation (F36). */
  receiveBooking({ booking, policy }: BookedNews): void {
    this.signals += 1;
    this.applyPolicy(policy);
    this.hasFirstEvent = true;
    this.observeWaiting();
    this.applyStep(lifecycle.applyBooking(this.state, booking, Date.now()));
    this.requestStep();
  }

  /** Each batch carries the policy: storing an equal copy would only cost memory. */
  private applyPolicy(policy: lifecycle.Policy): void {
    if (JSON.stringify(policy) !== JSON.stringify(this.newestPolicy)) this.newestPolicy = policy;
  }

  /** Signal: the key works again (L30). */
  restoreRole(): void {
    this.signals += 1;
    this.applyStep(lifecycle.restoreRole(this.state, Date.now()));
    this.requestStep();
  }

  /** Signal: evidence from the platform's schedule waits here for the loop (L19). */
  receiveSchedule(evidence: lifecycle.ScheduleEvidence): void {
    this.signals += 1;
    this.waitingEvidence.push(evidence);
    this.requestStep();
  }

  /** Signal without effect: refused, or a wake-up. It counts too: a run holds ten thousand at most. */
  countSignal(): void {
    this.signals += 1;
    this.requestStep();
  }

  /** Signal: rows that the worker could not store. */
  receiveReturnedRows(rows: UnstoredRows): void {
    this.signals += 1;
    this.rows.receiveReturned(rows);
    this.requestStep();
  }

  get policy(): lifecycle.Policy {
    return this.start.policy;
  }

  view(): lifecycle.ReservationView {
    return lifecycle.view(this.state, Date.now());
  }

  /** Query. */
  markedView(input?: ViewInput): MarkedView {
    return { ...this.view(), ...(input?.withMarks && { commandMarks: lifecycle.commandMarks(this.state) }) };
  }

  /** Query, and part of what is written. */
  listRow(): lifecycle.ListRow {
    return lifecycle.listRow(this.state);
  }

  /** Query: the effect of events, on a state that is then discarded. */
  preview({ events, now }: PreviewInput): lifecycle.EventPreview[] {
    return lifecycle.previewEvents(this.stateWithWaitingEvents(), events, now);
  }

  /** Validator: refuses at once, and nothing reaches the history (L20, L21, L27). */
  check(command: CommandInput): void {
    // a repeat adds no row
    const isRepeat = this.isFull && lifecycle.knownCommand(this.state, command.commandId) !== null;
    if (!isRepeat) this.refuseIfFull();
    if (this.hasFirstEvent) refuseIfAny(lifecycle.decide(this.stateWithWaitingEvents(), command));
    else this.refuseWithoutEvents();
  }

  /** Only in validators: a replay does not repeat them. */
  private refuseIfFull(): void {
    if (this.isFull) refuse(tooManyRows());
  }

  /** Update: answers when the first attempt has ended; a repeat of the same id gets the present state of the command. */
  async performAction(command: CommandInput): Promise<CommandResult> {
    if (!this.hasFirstEvent) await this.waitForFirstEvent();
    this.applyWaitingEvents();
    refuseIfAny(lifecycle.decide(this.state, command));
    this.applyStep(lifecycle.accept(this.state, command, Date.now()));
    this.requestStep();
    if (!this.isAnswered(command.commandId)) await this.pendingUpdates.wait(command.commandId);
    return this.resultOf(command.commandId);
  }

  checkDecision<S extends ManagerDecision>(name: S, input: ManagerDecisions[S]): void {
    if (this.isRepeat(name, input)) return;
    this.refuseIfFull();
    if (this.hasFirstEvent || name === 'assertFacts')
      refuseIfAny(managerDecisions[name].check(this.stateWithWaitingEvents(), input));
    else this.refuseWithoutEvents();
  }

  /**
   * Update: a manager's decision. An assertion may be the first news of a reservation, and adopts it. A repeat changes
   * nothing: newer evidence may contradict it.
   */
  async applyDecision<S extends ManagerDecision>(
    name: S,
    input: ManagerDecisions[S],
  ): Promise<lifecycle.ReservationView> {
    if (name === 'assertFacts') this.hasFirstEvent = true;
    if (!this.hasFirstEvent) await this.waitForFirstEvent();
    this.applyWaitingEvents();
    if (this.isRepeat(name, input)) return this.view();
    refuseIfAny(managerDecisions[name].check(this.state, input));
    this.applyStep(managerDecisions[name].apply(this.state, input, Date.now()));
    this.decisionKeys.add(name, input);
    this.requestStep();
    return this.view();
  }

  /** The same settlement again; the same key with another body is refused (L21). */
  private isRepeat<S extends ManagerDecision>(name: S, input: ManagerDecisions[S]): boolean {
    const standing = this.decisionKeys.standing(name, input);
    if (standing === 'other') refuse(lifecycle.commandIdReused());
    return standing === 'same';
  }

  get hasWork(): boolean {
    return (
      this.waitingEvents.length > 0 ||
      this.requests.hasAnswers ||
      this.isStepDue ||
      this.deadlineTimer.hasFired
    );
  }

  /** Resolves when there is work. Call it only while there is none. */
  waitForWork(): Promise<void> {
    return this.wakeUp.next();
  }

  /** Nothing is under way: `carry` returns everything. */
  get isIdle(): boolean {
    return (
      !this.requests.isOut &&
      !this.requests.isReporting &&
      !this.posts.isOut &&
      !this.lookAheads.isOut &&
      !this.recallNotes.isOut &&
      !this.hasWork
    );
  }

  /** Only the case file is left to write. While the database is down, rows are carried from run to run. */
  get isDone(): boolean {
    return this.isIdle && this.rows.mayFile && this.posts.rest.length === 0;
  }

  /**
   * Rows wait for the answer of a request that is out: one write instead of two or three. Not what was judged later than a second after
   * the request, and not after a late answer: one may take 12 s, and 15 s until a worker starts it, and commands that are queued
   * follow each other.
   */
  get mayRecord(): boolean {
    if (!this.requests.isOut) return this.rows.mayRecord;
    return this.requests.isSlow && this.rows.mayRecordWhileOut;
  }

  /** As much waits for the database as one run can pass to the next. */
  get isFull(): boolean {
    return this.rows.isFull;
  }

  carry(): ReservationStart {
    return {
      ...this.start,
      policy: this.newestPolicy,
      // asked again: the next run may be that of another release, and have another worker
      direct: false,
      carried: {
        state: this.state,
        unrecorded: this.rows.rest,
        ...(this.posts.rest.length > 0 && { unposted: this.posts.rest }),
        ...this.decisionKeys.carry(),
      },
    };
  }

  /** Does everything that is due; the loop writes the rows afterwards. */
  step(): lifecycle.Outlook {
    this.hasWorked ||= this.hasWork;
    this.isStepDue = false;
    this.deadlineTimer.reset();
    this.observeWaiting();
    for (const evidence of this.waitingEvidence.splice(0)) {
      this.applyStep(lifecycle.corroborate(this.state, evidence, Date.now()));
    }
    this.applyAnswers();
    // nothing below changes what is believed
    const what = lifecycle.belief(this.state);
    this.applyStep(lifecycle.wake(this.state, Date.now(), what));
    this.dispatch(what);
    this.posts.send();
    const outlook = lifecycle.outlook(this.state, Date.now(), what);
    this.lookAheads.request(outlook.lookAhead);
    this.recallNotes.write(outlook.note);
    this.projection.show(outlook);
    this.deadlineTimer.set(outlook.nextDeadline);
    return outlook;
  }

  /** @throws a refusal where no first event comes */
  private async waitForFirstEvent(): Promise<void> {
    const hasEvent = () => this.hasFirstEvent;
    // a run of 0.2.0 waited without end
    if (!patched('first-event-within-seconds')) {
      return CancellationScope.nonCancellable(() => condition(hasEvent));
    }
    const leftMs = Math.max(this.noEventsAfter - Date.now(), 1);
    await CancellationScope.nonCancellable(() => condition(hasEvent, leftMs));
    if (!this.hasFirstEvent) refuse(noEvents());
  }

  private refuseWithoutEvents(): void {
    if (Date.now() >= this.noEventsAfter) refuse(noEvents());
  }

  /** An update decides on the state after all events that arrived before it. */
  private applyWaitingEvents(): void {
    // the loop has rows to write and a state to show, even where the update is refused
    if (this.waitingEvents.length > 0) this.requestStep();
    this.observeWaiting();
  }

  private requestStep(): void {
    this.isStepDue = true;
    this.wakeUp.trigger();
  }

  private isAnswered(commandId: string): boolean {
    const command = this.state.commands.find((one) => one.commandId === commandId);
    return command !== undefined && lifecycle.isAnswered(command.state);
  }

  /** The state with the events of the same workflow task, which the loop has not applied yet. */
  private stateWithWaitingEvents(): lifecycle.ReservationState {
    const observe = (state: lifecycle.ReservationState, event: lifecycle.ReservationEvent) =>
      lifecycle.observe(state, event, Date.now()).state;
    return this.waitingEvents.reduce(observe, this.state);
  }

  private observeWaiting(): void {
    for (const event of this.waitingEvents.splice(0)) {
      const step = lifecycle.observe(this.state, event, Date.now());
      this.rows.addVerdict(step.verdict, personsOf(event));
      this.applyStep(step);
    }
  }

  private applyAnswers(): void {
    for (const { commandId, answer } of this.requests.drainAnswers()) {
      const restored = this.state.commands.find((one) => one.commandId === commandId)?.role === 'restored';
      this.applyStep(lifecycle.applyAnswer(this.state, commandId, answer, Date.now()));
      if (answer.outcome === 'held-back' && waitsFor(answer.code) === 'key')
        this.requests.reportSuspension({ code: answer.code, restored });
    }
  }

  private dispatch(what: lifecycle.Belief): void {
    const { attempt, ...step } = lifecycle.dispatchNext(this.state, Date.now(), what);
    this.applyStep(step);
    if (attempt !== null) this.requests.send(attempt);
  }

  /** Writes verdicts and timeline entries; what arrives meanwhile is work for the loop. */
  record(): Promise<void> {
    return this.rows.record();
  }

  /**
   * L47: writes the case file, the last step of a reservation. What arrives meanwhile is work: the loop applies it and
   * calls this method again, and the later file replaces the earlier.
   */
  file(): Promise<boolean> {
    const now = Date.now();
    const { reservationId } = this.start;
    this.state = lifecycle.inSequence(this.state, { ...this.state }, now);
    const facts = lifecycle.listFacts(this.state);
    const settledMarks = [...this.decisionKeys.marks, ...lifecycle.commandMarks(this.state)];
    const view = lifecycle.view(this.state, now);
    return this.rows.file({ reservationId, closedAt: this.state.sequence ?? now, facts, view, settledMarks });
  }

  private applyStep(step: lifecycle.Step): void {
    this.state = lifecycle.inSequence(this.state, step.state, Date.now());
    this.rows.addEntries(step.entries);
    this.pendingUpdates.completeAnswered((commandId) => this.isAnswered(commandId));
  }

  private resultOf(commandId: string): CommandResult {
    return { command: lifecycle.commandView(this.state, commandId), reservation: this.view() };
  }
}

function personsOf({ driver, companion }: lifecycle.ReservationEvent): PersonNamed[] {
  return [driver, companion].flatMap((person) => {
    const { name = null, phone = null, licenseNumber = null } = person ?? {};
    return name === null && phone === null && licenseNumber === null ? [] : [{ name, phone, licenseNumber }];
  });
}
