import { patched, workflowInfo } from '@temporalio/workflow';
import type { SentBooking } from '../../src/contract/attempt.js';
import { bookingNotStoredCode, type Rejected } from '../../src/domain/shared/outcome.js';

/** For a booking to be recorded, and for the platform to accept it. */
const retryWindowMs = 60_000;

/** Until when a booking may be sent. Instants. */
export interface SendBy {
  /** Whether it is too late to send at this instant. */
  isPast(instant: number): boolean;
  /** The same for now, after a timer that may have fired late; 0.2.0 did not check that. */
  isPastNow(): boolean;
  /** Milliseconds that are left at an instant. */
  leftMs(instant: number): number;
}

/**
 * A minute from the command, that is from the start of its workflow: a late first workflow task leaves less. A run of
 * 0.2.0 counted from its first workflow task, and still does.
 * @param begunAt instant of the first workflow task
 */
export function sendBy(begunAt: number): SendBy {
  const last = workflowInfo().startTime.getTime() + retryWindowMs;
  // evaluated only where it makes a difference: a marker costs history events
  const isStrict = () => patched('bookings-leave-within-a-minute');
  return {
    isPast: (instant) => instant > begunAt + retryWindowMs || (instant > last && isStrict()),
    isPastNow: () => Date.now() > last && isStrict(),
    leftMs: (instant) => Math.max(last - instant, 1),
  };
}

/** How a booking ends that was not sent in time. */
export const bookingNotSent: Readonly<Rejected> = {
  outcome: 'rejected',
  code: 'BOOKING_NOT_SENT',
  message: 'no worker sent the booking within a minute; nothing was sent',
};
/** How a booking ends that the database did not store in time. */
export const bookingNotStored: Readonly<Rejected> = {
  outcome: 'rejected',
  code: bookingNotStoredCode,
  message: 'the booking could not be stored in time; nothing was sent',
};

/** Whether no attempt began, or none could store the booking. The platform's answers have other codes (`callCodes`). */
export function isUnsent(answer: SentBooking): boolean {
  return answer.outcome === 'rejected' && [bookingNotSent.code, bookingNotStored.code].includes(answer.code);
}
