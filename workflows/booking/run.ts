import { allHandlersFinished, condition, patched, workflowInfo } from '@temporalio/workflow';
import type { SentBooking } from '../../src/contract/attempt.js';
import {
  type AwaitedBooking,
  type BookingEnd,
  type BookingResolution,
  type BookingResolved,
  type BookingResult,
  type BookingStart,
  bookingNews,
  type ResolveBookingInput,
} from '../../src/contract/booking.js';
import type { Sighting } from '../../src/domain/booking/types.js';
import { runLost, type Unknown } from '../../src/domain/shared/outcome.js';
import { DeadlineTimer } from '../shared/deadline-timer.js';
import { bookings } from '../shared/proxies.js';
import { refuse } from '../shared/refuse.js';
import { WakeUp } from '../shared/wake-up.js';
import {
  databaseAway,
  endByPerson,
  ResolutionRequests,
  resolvedBefore,
  stillSending,
  toApplied,
} from './resolutions.js';
import { bookingNotSent, bookingNotStored, isUnsent, type SendBy, sendBy } from './send-by.js';

/** How long callbacks are searched where the start argument has no `matchMs`. */
const usualMatchMs = 2 * 60 * 60_000;
/** Callbacks received this long before the request left are searched too: two processes have two clocks. */
const clocksMs = 60_000;
const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** Operations are alerted only after this: a callback may resolve the booking before. */
const alertAfterMs = 60_000;

/** One booking from its row to its settlement. */
export class BookingRun {
  /** Instant of the command. */
  private readonly createdAt = Date.now();
  private stage: 'out' | 'lost' | 'settled' = 'out';
  /** The outcome, as far as it is known. */
  private known: BookingResult | undefined;
  /** `answer` need not wait any longer: the rows were tried, or the first search for a lost booking was made. */
  private isTried = false;
  /** The database gives no answer, and its activity is being retried. */
  private isDelayed = false;
  private readonly requests = new ResolutionRequests();
  private lostAt = 0;
  private searchedUntil = this.createdAt;
  private readonly wakeUp = new WakeUp();
  private readonly deadlineTimer = new DeadlineTimer(() => this.wakeUp.trigger());
  /** Operations were alerted that it is lost. */
  private isAlerted = false;
  private readonly database = bookings((isDelayed) => this.delay(isDelayed));

  /**
   * @param isStoredBySending whether each attempt stores the booking and its outcome; false: this run does
   * @param send sends the request, and repeats it only where it certainly had no effect, until the deadline. Each attempt
   * stores the booking where it receives the instant of the command.
   */
  constructor(
    private readonly start: BookingStart,
    private readonly isStoredBySending: boolean,
    private readonly send: (deadline: SendBy, createdAt?: number) => Promise<SentBooking>,
  ) {}

  async runToEnd(): Promise<BookingResult> {
    const answer = await this.sendOnce();
    const end =
      answer.outcome === 'unknown' ? await this.resolveLost(answer) : await this.applyAnswer(answer);
    this.known = end ?? answer;
    this.isTried = true;
    this.stage = 'settled';
    this.requests.refuseAll();
    await condition(allHandlersFinished);
    return end ?? answer;
  }

  /** Validator: only a booking that is lost waits for a person. */
  check(): void {
    if (this.stage === 'out') refuse(stillSending);
    if (this.stage === 'settled') refuse(resolvedBefore);
    if (this.isDelayed) refuse(databaseAway);
  }

  /** Update: a manager resolves it (F35). The loop handles one request after the other. */
  resolve(input: ResolveBookingInput): Promise<'settled'> {
    return this.requests.waitForResult(input, () => this.wakeUp.trigger());
  }

  /** Update: the outcome. Where the database gives no answer, the update does not wait for the rows. */
  async answer(): Promise<AwaitedBooking> {
    await condition(() => this.isTried || this.isDelayed);
    return this.known ?? { outcome: 'pending' };
  }

  /** Called when the database begins, or ends, to give no answer: updates do not wait for it. */
  delay(isDelayed: boolean): void {
    this.isDelayed = isDelayed;
    if (isDelayed) this.requests.delay();
  }

  /** F30: a booking that another run has stored may have been sent by that run. */
  private async sendOnce(): Promise<SentBooking> {
    const deadline = sendBy(this.createdAt);
    const isLate = deadline.isPast(this.createdAt);
    if (this.isStoredBySending && !isLate) {
      const answer = await this.send(deadline, this.createdAt);
      // the attempt did not store it: another run may have, and then may have sent it
      return isUnsent(answer) && (await this.storeBooking()) === 'known' ? runLost : answer;
    }
    if ((await this.storeBooking()) === 'known') return runLost;
    if (isLate) return bookingNotSent;
    return deadline.isPast(Date.now()) ? bookingNotStored : this.send(deadline);
  }

  private storeBooking(): Promise<'kept' | 'known'> {
    return this.database.keepBooking({ start: this.start, runId: workflowInfo().runId, at: this.createdAt });
  }

  /** Stores the booking again in a database that was restored to a moment before it. */
  private async writeResolution(settlement: BookingResolution): Promise<BookingResolved> {
    const resolved = await this.database.settleBooking(settlement);
    if (resolved.kind !== 'missing') return resolved;
    await this.storeBooking();
    return this.database.settleBooking(settlement);
  }

  /** The platform's answer. */
  private async applyAnswer({ isRecorded, ...end }: Exclude<SentBooking, Unknown>): Promise<BookingEnd> {
    this.known = end;
    if (isRecorded) return end;
    const { commandId, by } = this.start;
    const settlement = { commandId, at: Date.now(), end };
    await Promise.all([this.writeResolution(settlement), this.notifyReservation(settlement, by)]);
    return end;
  }

  /** F31-F35: searches, and handles requests, until the booking is resolved. Null: another run resolved it. */
  private async resolveLost(lost: Unknown): Promise<BookingEnd | null> {
    this.known = lost;
    this.stage = 'lost';
    this.lostAt = Date.now();
    for (;;) {
      const end = (await this.applyRequests()) ?? (await this.searchCallbacks(lost.code));
      if (end === 'settled') {
        // it may be a late attempt of this run that resolved it, after Temporal gave that up: no other run clears the alert
        if (this.isAlerted && this.isStoredBySending) await this.clearAlert(Date.now());
        return null;
      }
      if (typeof end === 'object') return end;
      this.isTried = true;
      await this.alertOperations(end, lost);
      await this.waitForRequestOrTime();
    }
  }

  /** Searches the callbacks received since the last search; the only reservation that fits resolves the booking (F32). */
  private async searchCallbacks(
    code: string,
  ): Promise<BookingEnd | Exclude<Sighting['kind'], 'one' | 'missing'>> {
    const { commandId, by } = this.start;
    const search = { commandId, code, from: this.searchedUntil - clocksMs };
    this.searchedUntil = Date.now();
    let sighting = await this.database.lookForBooking(search);
    while (sighting.more !== undefined || sighting.kind === 'missing') {
      if (sighting.kind === 'missing') await this.storeBooking();
      const after = sighting.more;
      sighting = await this.database.lookForBooking(after === undefined ? search : { ...search, after });
    }
    const { kind, candidate } = sighting;
    if (candidate === undefined) return kind === 'several' || kind === 'settled' ? kind : 'none';
    const { reservationId, carNumber, startAt, endAt } = candidate;
    const end = toApplied({ reservationId, carNumber, pickupAt: startAt, returnAt: endAt }, 'callback');
    const resolved = await this.applyResolution({ commandId, at: Date.now(), end }, by);
    // another booking has just claimed it: the next search leaves it out
    return resolved.kind === 'settled' ? end : 'none';
  }

  /** F38: alerts once; at once where only a person can decide. */
  private async alertOperations(seen: 'none' | 'several', { code, message }: Unknown): Promise<void> {
    const isDue = seen === 'several' || this.lostMs >= Math.min(alertAfterMs, this.matchMs);
    if (this.isAlerted || !isDue) return;
    this.isAlerted = true;
    const state = seen === 'several' ? 'ambiguous' : 'unknown';
    await this.database.raiseBookingAlert({
      commandId: this.start.commandId,
      at: Date.now(),
      state,
      code,
      ...(message !== undefined && { message }),
    });
  }

  private get lostMs(): number {
    return Date.now() - this.lostAt;
  }
  private get matchMs(): number {
    return this.start.matchMs ?? usualMatchMs;
  }

  /** The wait grows with the time searched so far; after `matchMs` it waits for a person only. */
  private async waitForRequestOrTime(): Promise<void> {
    const leftMs = this.matchMs - this.lostMs;
    const waitMs = Math.min(Math.max(this.lostMs / 4, firstWaitMs), longestWaitMs, leftMs);
    if (leftMs > 0) this.deadlineTimer.set(Date.now() + Math.ceil(waitMs));
    while (!this.requests.areWaiting && !this.deadlineTimer.hasFired) await this.wakeUp.next();
    this.deadlineTimer.reset();
  }

  /** Where a request resolves the booking, those behind it are refused at the end. */
  private async applyRequests(): Promise<BookingEnd | null> {
    const snapshot = this.requests.drain();
    for (const [index, { input, answer }] of snapshot.entries()) {
      const { commandId } = this.start;
      const { by, reason, settlementId } = input;
      const end = endByPerson(input, this.start.request);
      const resolved = await this.applyResolution(
        { commandId, at: Date.now(), end, person: { by, reason, settlementId } },
        by,
      );
      answer(resolved);
      if (resolved.kind !== 'settled') continue;
      const rest = snapshot.slice(index + 1);
      // a run of 0.2.0 dropped the rest, and answered what came later: its replay must do the same
      if (rest.length > 0 && patched('queued-resolutions-end')) this.requests.putBack(rest);
      return end;
    }
    return null;
  }

  private async applyResolution(settlement: BookingResolution, by: string): Promise<BookingResolved> {
    const resolved = await this.writeResolution(settlement);
    if (resolved.kind === 'settled') {
      await this.clearAlert(settlement.at);
      await this.notifyReservation(settlement, by);
    }
    return resolved;
  }

  private clearAlert(at: number): Promise<void> {
    return this.database.clearBookingAlert({ commandId: this.start.commandId, at });
  }

  /** F36: the reservation is notified once, whether or not a callback has started it. */
  private async notifyReservation({ at, end }: BookingResolution, by: string): Promise<void> {
    if (end.outcome !== 'applied') return;
    const { request, commandId } = this.start;
    const booking = bookingNews({ commandId, by, request }, { at, end });
    await this.database.tellReservation({ reservationId: end.reservationId, booking });
  }
}
