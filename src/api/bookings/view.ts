/** L60: a booking as a viewer sees it: without the request and without the platform's text. */
export function bookingWithoutPersonalData<B extends { request: unknown; message: string | null }>(
  booking: B,
) {
  return { ...booking, request: null, message: null };
}

/** Whether there is something that a viewer does not see. */
export function hasPersonalData({ request, message }: { request: unknown; message: string | null }): boolean {
  return request !== null || message !== null;
}
