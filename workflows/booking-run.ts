import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';
import {
  type BookingEnd,
  type BookingRefusal,
  type BookingResult,
  type BookingSettled,
  type BookingSettlement,
  type BookingStart,
  notMadeCode,
  type ResolveBookingInput,
  type Sighting,
} from '../src/contract/booking.js';
import type { Booking } from '../src/lifecycle/index.js';
import { Alarm } from './alarm.js';
import { Bell } from './bell.js';
import { bookings } from './proxies.js';
import { refuse } from './refuse.js';

/** For a booking to be kept and the platform to take it. */
const patienceMs = 60_000;
/** Where its start does not say for how long to look. */
const usualMatchMs = 2 * 60 * 60_000;
/** Callbacks received so long before the request left are looked at too: the clocks of two processes. */
const clocksMs = 60_000;
const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** A callback that comes within this settles it without a call for operations. */
const alertAfterMs = 60_000;

interface Press {
  input: ResolveBookingInput;
  answer(settled: BookingSettled): void;
}

/** One booking from its row to its settlement. */
export class BookingRun {
  private readonly sentAt = Date.now();
  private stage: 'out' | 'lost' | 'settled' = 'out';
  private presses: Press[] = [];
  private lostAt = 0;
  private lookedAt = this.sentAt;
  private readonly bell = new Bell();
  private readonly alarm = new Alarm(() => this.bell.ring());
  /** Operations know that it is lost. */
  private isTold = false;

  /** @param send the request, and again only where it was certainly not made; gives up at the instant given */
  constructor(
    private readonly start: BookingStart,
    private readonly send: (until: number) => Promise<BookingResult>,
  ) {}

  async toItsEnd(): Promise<BookingResult> {
    const answer = await this.answered();
    const end = answer.outcome === 'unknown' ? await this.found(answer.code) : await this.taken(answer);
    this.stage = 'settled';
    for (const { answer: tell } of this.presses.splice(0)) tell({ kind: 'other' });
    await condition(allHandlersFinished);
    return end ?? answer;
  }

  /** Validator: only a booking that is lost waits for a person. */
  check(): void {
    if (this.stage === 'out') refuse(onItsWay);
    if (this.stage === 'settled') refuse(settledBefore);
  }

  /** Update: a person settles it (F35). The loop takes one press after the other. */
  async resolve(input: ResolveBookingInput): Promise<'settled'> {
    const settled = await new Promise<BookingSettled>((answer) => {
      this.presses.push({ input, answer });
      this.bell.ring();
    });
    if (settled.kind === 'claimed') refuse(claimedBy(settled.commandId));
    if (settled.kind !== 'settled') refuse(settledBefore);
    return 'settled';
  }

  /** F30: what another run kept before may have been sent by it. */
  private async answered(): Promise<BookingResult> {
    const until = this.sentAt + patienceMs;
    if ((await this.keep()) === 'known') return { outcome: 'unknown', code: 'RUN_LOST' };
    if (Date.now() < until) return this.send(until);
    return {
      outcome: 'rejected',
      code: 'BOOKING_NOT_KEPT',
      message: 'the booking could not be kept in time; nothing was sent',
    };
  }

  private keep(): Promise<'kept' | 'known'> {
    return bookings.keepBooking({ start: this.start, runId: workflowInfo().runId, at: this.sentAt });
  }

  /** A database that was put back to a moment before the booking keeps it anew. */
  private async writeSettlement(settlement: BookingSettlement): Promise<BookingSettled> {
    const settled = await bookings.settleBooking(settlement);
    if (settled.kind !== 'missing') return settled;
    await this.keep();
    return bookings.settleBooking(settlement);
  }

  /** The platform's answer. */
  private async taken(end: BookingEnd): Promise<BookingEnd> {
    const { commandId, by } = this.start;
    const settlement = { commandId, at: Date.now(), end };
    await Promise.all([this.writeSettlement(settlement), this.tellReservation(settlement, by)]);
    return end;
  }

  /** F31-F35: looks, and takes presses, until it is settled. Null: another run settled it. */
  private async found(code: string): Promise<BookingEnd | null> {
    this.stage = 'lost';
    this.lostAt = Date.now();
    for (;;) {
      const end = (await this.takePresses()) ?? (await this.look(code));
      if (end === 'settled') return null;
      if (typeof end === 'object') return end;
      await this.tellOperations(end, code);
      await this.pressOrTime();
    }
  }

  /** Looks through the callbacks since the look before; the first that shows it alone settles it (F32). */
  private async look(code: string): Promise<BookingEnd | Exclude<Sighting['kind'], 'one' | 'missing'>> {
    const { commandId, by } = this.start;
    const look = { commandId, code, from: this.lookedAt - clocksMs };
    this.lookedAt = Date.now();
    let sighting = await bookings.lookForBooking(look);
    while (sighting.more !== undefined || sighting.kind === 'missing') {
      if (sighting.kind === 'missing') await this.keep();
      const after = sighting.more;
      sighting = await bookings.lookForBooking(after === undefined ? look : { ...look, after });
    }
    const { kind, candidate } = sighting;
    if (candidate === undefined) return kind === 'several' || kind === 'settled' ? kind : 'none';
    const { reservationId, carNumber, startAt, endAt } = candidate;
    const end = applied({ reservationId, carNumber, pickupAt: startAt, returnAt: endAt }, 'callback');
    const { kind: settled } = await this.settled({ commandId, at: Date.now(), end }, by);
    // claimed by another booking in the same moment: the next look leaves it out
    return settled === 'settled' ? end : 'none';
  }

  /** F38: once, at once where it takes a person. */
  private async tellOperations(seen: 'none' | 'several', code: string): Promise<void> {
    const isDue = seen === 'several' || this.lostMs >= Math.min(alertAfterMs, this.matchMs);
    if (this.isTold || !isDue) return;
    this.isTold = true;
    const state = seen === 'several' ? 'ambiguous' : 'unknown';
    await bookings.raiseBookingAlert({ commandId: this.start.commandId, at: Date.now(), state, code });
  }

  private get lostMs(): number {
    return Date.now() - this.lostAt;
  }
  private get matchMs(): number {
    return this.start.matchMs ?? usualMatchMs;
  }

  /** Waits the longer the longer it has looked; once its time is over only a person settles it. */
  private async pressOrTime(): Promise<void> {
    const leftMs = this.matchMs - this.lostMs;
    const waitMs = Math.min(Math.max(this.lostMs / 4, firstWaitMs), longestWaitMs, leftMs);
    if (leftMs > 0) this.alarm.set(Date.now() + Math.ceil(waitMs));
    while (this.presses.length === 0 && !this.alarm.ringing) await this.bell.rung();
    this.alarm.quiet();
  }

  private async takePresses(): Promise<BookingEnd | null> {
    for (const { input, answer } of this.presses.splice(0)) {
      const { commandId } = this.start;
      const { by, reason, settlementId } = input;
      const end = this.decided(input);
      const settled = await this.settled(
        { commandId, at: Date.now(), end, person: { by, reason, settlementId } },
        by,
      );
      answer(settled);
      if (settled.kind === 'settled') return end;
    }
    return null;
  }

  private decided({ outcome, reservationId }: ResolveBookingInput): BookingEnd {
    if (outcome === 'applied' && reservationId !== undefined) {
      const { startAt: pickupAt, endAt: returnAt } = this.start.request;
      return applied({ reservationId, carNumber: null, pickupAt, returnAt }, 'person');
    }
    const message = 'a person found that the platform has no such reservation';
    return { outcome: 'rejected', code: notMadeCode, message, settledBy: 'person' };
  }

  private async settled(settlement: BookingSettlement, by: string): Promise<BookingSettled> {
    const settled = await this.writeSettlement(settlement);
    if (settled.kind === 'settled') {
      const { commandId, at } = settlement;
      await bookings.clearBookingAlert({ commandId, at });
      await this.tellReservation(settlement, by);
    }
    return settled;
  }

  /** F36: the reservation hears of it once, whether or not a callback has started it. */
  private async tellReservation({ at, end }: BookingSettlement, by: string): Promise<void> {
    if (end.outcome !== 'applied') return;
    const { request, commandId } = this.start;
    const { productId, driver, companionInfo, pickupAddress, pickupMemo } = request;
    const { reservationId, settledBy = 'answer', status, carNumber, pickupAt, returnAt } = end;
    const booking: Booking = {
      commandId,
      by,
      at,
      settledBy,
      status,
      carNumber,
      productId,
      period: { start: pickupAt, end: returnAt },
      driver,
      companion: companionInfo ?? null,
      pickupAddress,
      ...(pickupMemo !== undefined && { pickupMemo }),
    };
    await bookings.tellReservation({ reservationId, booking });
  }
}

type Known = Omit<Extract<BookingEnd, { outcome: 'applied' }>, 'outcome' | 'status' | 'settledBy'>;
function applied(known: Known, settledBy: 'callback' | 'person'): BookingEnd {
  return { outcome: 'applied', status: null, ...known, settledBy };
}

const onItsWay: Readonly<BookingRefusal> = {
  code: 'BOOKING_ON_ITS_WAY',
  message: 'The booking is still on its way to the platform; its answer may come within a minute.',
};
const settledBefore: Readonly<BookingRefusal> = {
  code: 'BOOKING_SETTLED',
  message: 'What became of the booking is already known.',
};
function claimedBy(commandId: string): BookingRefusal {
  return {
    code: 'RESERVATION_CLAIMED',
    message: `The reservation is that of another booking (${commandId}).`,
  };
}
