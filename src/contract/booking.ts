import type { BookingRequest, PlaceInInbox } from '../domain/booking/types.js';
import type { Booking } from '../domain/reservation/index.js';
import { markOf } from '../domain/shared/idempotency.js';
import type { Sentence } from '../domain/shared/message.js';
import type { Applied, Rejected, Unknown } from '../domain/shared/outcome.js';

/** Start argument of the booking workflow (`booking-{commandId}`). */
export interface BookingStart {
  commandId: string;
  by: string;
  request: BookingRequest;
  /** How long the callbacks are searched for a lost booking (F31), in milliseconds. */
  matchMs?: number;
}

export type SettledBy = 'answer' | 'callback' | 'person';

/** What is known of a booking that was made. */
interface Booked {
  reservationId: number;
  /** The platform's string, kept raw (G12); null where the answer got lost. */
  status: string | null;
  carNumber: string | null;
  /** As the platform states it; as requested where it states nothing. */
  pickupAt: number;
  returnAt: number;
}
/** `settledBy` absent: the platform's answer. */
export type BookingEnd = (Applied<Booked> | Rejected) & { settledBy?: SettledBy };

/** How a booking ended, or that its outcome is not known (never repeated blindly). */
export type BookingResult = BookingEnd | Unknown;

/** Code of a booking that a person settled as not made (F35). */
export const notMadeCode = 'BOOKING_NOT_MADE';

/** Argument of the `lookForBooking` activity. Instants. */
export interface BookingSearch {
  commandId: string;
  /** Why the answer is not known. */
  code: string;
  /** Callbacks received from then on. */
  from: number;
  /** Where the previous search stopped. */
  after?: PlaceInInbox;
}
/** Argument of the `settleBooking` activity; of one booking one takes effect. */
export interface BookingResolution {
  commandId: string;
  at: number;
  end: BookingEnd;
  /** Set where a person resolves it: who, and why. */
  person?: { by: string; reason: string; settlementId: string };
}
/** `claimed`: the reservation is another booking's; `other`: it was settled otherwise before; `missing`: as above. */
export type BookingResolved =
  | { kind: 'settled' | 'other' | 'missing' }
  | { kind: 'claimed'; commandId: string };

/**
 * Update without an argument: what is known of a booking once its answer is there, or has got lost and no callback shows it.
 * It does not wait for a database that gives no answer.
 */
export const awaitBookingUpdate = 'awaitBooking';
/** `pending`: it waits for the database, so it may still be sent. */
export type AwaitedBooking = BookingResult | { outcome: 'pending' };

/** Update: a person settles a booking of unknown outcome (F35). */
export const resolveBookingUpdate = 'resolveBooking';
export interface ResolveBookingInput {
  outcome: 'applied' | 'rejected';
  /** Of an applied one. */
  reservationId?: number;
  reason: string;
  by: string;
  /** The request's own id. */
  settlementId: string;
}

/** The mark of a resolution (L21): equal for equal outcome, reservation and reason. Stored encrypted (L60). */
export function resolutionMark({
  outcome,
  reservationId,
  reason,
}: Pick<ResolveBookingInput, 'outcome' | 'reservationId' | 'reason'>): string {
  const isApplied = outcome === 'applied';
  return markOf(resolveBookingUpdate, { outcome, reason, ...(isApplied && { reservationId }) });
}

/** Why a person cannot resolve a booking this way. */
export interface BookingRefusal {
  code:
    | 'COMMAND_ID_REUSED'
    | 'BOOKING_ON_ITS_WAY'
    | 'BOOKING_SETTLED'
    | 'RESERVATION_CLAIMED'
    | 'STORE_UNAVAILABLE';
  message: Sentence;
}

/** What a reservation is notified of when a booking became it (F36). @param by who booked, or settled it as a person */
export function bookingNews(
  { commandId, by, request }: { commandId: string; by: string; request: BookingRequest },
  { at, end }: { at: number; end: Extract<BookingEnd, { outcome: 'applied' }> },
): Booking {
  const { productId, driver, companionInfo, pickupAddress, pickupMemo } = request;
  const { settledBy = 'answer', status, carNumber, pickupAt, returnAt } = end;
  return {
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
}
