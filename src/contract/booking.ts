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
}

/** How a booking ended: the platform's answer, its refusal, or nobody knows (never repeated blindly). */
export type BookingResult =
  | {
      outcome: 'applied';
      reservationId: number;
      /** The platform's string, kept raw (G12). */
      status: string;
      carNumber: string;
      pickupAt: number;
      returnAt: number;
    }
  | { outcome: 'rejected'; code: string; message: string }
  | { outcome: 'unknown'; code: string };
