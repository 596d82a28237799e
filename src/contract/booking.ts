/** Start argument of the booking workflow (`booking-{commandId}`): the body of POST /reservations (G11). */
export interface BookingStart {
  commandId: string;
  by: string;
  /** Timestamps are instants (milliseconds since the epoch). */
  request: {
    productId: number;
    startAt: number;
    endAt: number;
    pickupAddress: string;
    driver: { name: string; birth: string; phone: string; licenseNumber: string; address: string };
    companionInfo?: { phone?: string; birth?: string; name?: string; licenseNumber?: string };
    pickupMemo?: string;
  };
  /** For how long a lost answer is looked for among the callbacks (F31), in milliseconds. */
  matchMs?: number;
}
export type BookingRequest = BookingStart['request'];

/** `out`: sent, or about to be; `ambiguous`: more than one reservation, or booking, fits (F33). */
export const bookingStates = ['out', 'unknown', 'ambiguous', 'applied', 'rejected'] as const;
export type BookingState = (typeof bookingStates)[number];
export type SettledBy = 'answer' | 'callback' | 'person';

/** How a booking ended: the platform's answer, its refusal, or nobody knows (never repeated blindly). */
export type BookingResult =
  | {
      outcome: 'applied';
      reservationId: number;
      /** The platform's string, kept raw (G12); null where the answer got lost. */
      status: string | null;
      carNumber: string | null;
      /** As the platform says; as asked for where it said nothing. */
      pickupAt: number;
      returnAt: number;
      /** Absent: its answer. */
      settledBy?: SettledBy;
    }
  | { outcome: 'rejected'; code: string; message: string; settledBy?: SettledBy }
  | { outcome: 'unknown'; code: string };
export type BookingEnd = Exclude<BookingResult, { outcome: 'unknown' }>;

/** Code of a booking that a person settled as not made (F35). */
export const notMadeCode = 'BOOKING_NOT_MADE';

/** A reservation that a booking may have become: what its registration says of it; nothing personal. */
export interface BookingCandidate {
  reservationId: number;
  /** False: the callback names no product, so only period and driver fit. */
  productFits: boolean;
  carNumber: string | null;
  startAt: number;
  endAt: number;
}

/** Argument of the `lookForBooking` activity. Instants. */
export interface BookingLook {
  commandId: string;
  /** Why the answer is not known. */
  code: string;
  /** Callbacks received from then on. */
  from: number;
  /** Where the look before stopped within them. */
  after?: PlaceInInbox;
}
export interface PlaceInInbox {
  receivedAt: number;
  id: number;
}

/** What a look among the callbacks found (F31-F34). */
export interface Sighting {
  /** `settled`: another run of the same booking did so; `missing`: the database has lost it, and keeps it anew. */
  kind: 'none' | 'one' | 'several' | 'settled' | 'missing';
  /** The one. */
  candidate?: BookingCandidate;
  /** There are more callbacks than one look reads. */
  more?: PlaceInInbox;
}

/** Argument of the `settleBooking` activity; of one booking one takes effect. */
export interface BookingSettlement {
  commandId: string;
  at: number;
  end: BookingEnd;
  /** Who decided, and why: where a person settles it. */
  person?: { by: string; reason: string; settlementId: string };
}
/** `claimed`: the reservation is another booking's; `other`: it was settled otherwise before; `missing`: as above. */
export type BookingSettled =
  | { kind: 'settled' | 'other' | 'missing' }
  | { kind: 'claimed'; commandId: string };

/** Update: a person settles a booking of unknown outcome (F35). */
export const resolveBookingUpdate = 'resolveBooking';
export interface ResolveBookingInput {
  outcome: 'applied' | 'rejected';
  /** Of an applied one. */
  reservationId?: number;
  reason: string;
  by: string;
  /** The press's own id. */
  settlementId: string;
}

/** Why a person cannot settle a booking so. */
export interface BookingRefusal {
  code: 'BOOKING_ON_ITS_WAY' | 'BOOKING_SETTLED' | 'RESERVATION_CLAIMED';
  message: string;
}
