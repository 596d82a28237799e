/** L60: a booking as a viewer sees it: neither what was asked for nor the platform's words. */
export function bookingWithoutPersonalData<B extends { request: unknown; message: string | null }>(
  booking: B,
) {
  return { ...booking, request: null, message: null };
}
