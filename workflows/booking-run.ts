import { ApplicationFailure, allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';
import {
  type BookingEnd,
  type BookingLook,
  type BookingRefusal,
  type BookingResult,
  type BookingSettled,
  type BookingSettlement,
  type BookingStart,
  notMadeCode,
  type ResolveBookingInput,
} from '../src/contract/booking.js';
import { refusalType } from '../src/contract/reservation.js';
import type { Booking } from '../src/lifecycle/index.js';
import { bookings } from './proxies.js';

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
    const settled = await new Promise<BookingSettled>((answer) => this.presses.push({ input, answer }));
    if (settled.kind === 'claimed') refuse(claimedBy(settled.commandId));
    if (settled.kind === 'other') refuse(settledBefore);
    return 'settled';
  }

  /** F30: what another run kept before may have been sent by it. */
  private async answered(): Promise<BookingResult> {
    const { runId } = workflowInfo();
    const until = this.sentAt + patienceMs;
    const kept = await bookings.keepBooking({ start: this.start, runId, at: this.sentAt });
    if (kept === 'known') return { outcome: 'unknown', code: 'RUN_LOST' };
    if (Date.now() < until) return this.send(until);
    return {
      outcome: 'rejected',
      code: 'STORE_UNAVAILABLE',
      message: 'the booking could not be kept in time; nothing was sent',
    };
  }

  /** The platform's answer. */
  private async taken(end: BookingEnd): Promise<BookingEnd> {
    const { commandId, by } = this.start;
    const settlement = { commandId, at: Date.now(), end };
    await Promise.all([bookings.settleBooking(settlement), this.tellReservation(settlement, by)]);
    return end;
  }

  /** F31-F35: looks at growing distances, and takes presses, until it is settled. Null: another run settled it. */
  private async found(code: string): Promise<BookingEnd | null> {
    this.stage = 'lost';
    const { commandId, matchMs = usualMatchMs } = this.start;
    const lostAt = Date.now();
    let isTold = false;
    for (let look: BookingLook = { commandId, code, from: this.sentAt - clocksMs }; ; ) {
      const pressed = await this.takePresses();
      if (pressed !== null) return pressed;
      const lookedAt = Date.now();
      const { kind, candidate, more } = await bookings.lookForBooking(look);
      if (kind === 'settled') return null;
      if (candidate !== undefined) {
        const { reservationId, carNumber, startAt, endAt } = candidate;
        const end = applied({ reservationId, carNumber, pickupAt: startAt, returnAt: endAt }, 'callback');
        if ((await this.settled({ commandId, at: Date.now(), end }, this.start.by)).kind === 'settled')
          return end;
      }
      look = { commandId, code, from: lookedAt - clocksMs };
      if (more !== undefined) {
        look = { ...look, after: more };
        continue;
      }
      const lostMs = Date.now() - lostAt;
      if (!isTold && (kind === 'several' || lostMs >= Math.min(alertAfterMs, matchMs))) {
        const state = kind === 'several' ? 'ambiguous' : 'unknown';
        await bookings.raiseBookingAlert({ commandId, at: Date.now(), state, code });
        isTold = true;
      }
      await this.pressWithin(matchMs - lostMs, lostMs);
    }
  }

  /** Sleeps the longer the longer it has looked; once its time is over only a person settles it. */
  private async pressWithin(leftMs: number, lostMs: number): Promise<void> {
    const isPressed = () => this.presses.length > 0;
    if (leftMs <= 0) return condition(isPressed);
    const waitMs = Math.min(Math.max(lostMs / 4, firstWaitMs), longestWaitMs, leftMs);
    await condition(isPressed, Math.ceil(waitMs));
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
    const settled = await bookings.settleBooking(settlement);
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

const onItsWay: BookingRefusal = {
  code: 'BOOKING_ON_ITS_WAY',
  message: 'The booking is still on its way to the platform; its answer may come within a minute.',
};
const settledBefore: BookingRefusal = {
  code: 'BOOKING_SETTLED',
  message: 'What became of the booking is already known.',
};
function claimedBy(commandId: string): BookingRefusal {
  return {
    code: 'RESERVATION_CLAIMED',
    message: `The reservation is that of another booking (${commandId}).`,
  };
}

function refuse(refusal: BookingRefusal): never {
  throw ApplicationFailure.create({
    type: refusalType,
    message: refusal.message,
    details: [refusal],
    nonRetryable: true,
  });
}
