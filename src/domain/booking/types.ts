/** The body of POST /reservations (G11). Timestamps are instants (milliseconds since the epoch). */
export interface BookingRequest {
  productId: number;
  startAt: number;
  endAt: number;
  pickupAddress: string;
  driver: { name: string; birth: string; phone: string; licenseNumber: string; address: string };
  companionInfo?: { phone?: string; birth?: string; name?: string; licenseNumber?: string };
  pickupMemo?: string;
}

/** `out`: sent, or about to be; `ambiguous`: more than one reservation, or booking, fits (F33). */
export const bookingStates = ['out', 'unknown', 'ambiguous', 'applied', 'rejected'] as const;

export type BookingState = (typeof bookingStates)[number];

/** A reservation that a booking may have become: what its registration says of it; nothing personal. */
export interface BookingCandidate {
  reservationId: number;
  /** False: the callback names no product, or part of the driver cannot be read, so only the rest fits. */
  productFits: boolean;
  carNumber: string | null;
  startAt: number;
  endAt: number;
}

export interface PlaceInInbox {
  receivedAt: number;
  id: number;
}

/** What a look among the callbacks found (F31-F34). */
export interface Sighting {
  /** `settled`: another run of the same booking did so; `missing`: the database has lost it, and keeps it again. */
  kind: 'none' | 'one' | 'several' | 'settled' | 'missing';
  /** The one. */
  candidate?: BookingCandidate;
  /** There are more callbacks than one look reads. */
  more?: PlaceInInbox;
}
