import type { BookingResolution, BookingSearch, BookingStart } from '../../contract/booking.js';
import type { HandoverDb } from '../handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Announcements, searchBooking } from './lost.js';
import { resolveBooking } from './resolve.js';
import { runOf, storeBooking } from './rows.js';
import { markNotified, unsentBooking } from './unsent.js';

interface BookingStoreDeps {
  /** For looks among the callbacks, which may take long (`HandoverDatabase`). */
  db: HandoverDb;
  /** For what a booking waits for. */
  prompt: HandoverDb;
  sealer: Sealer;
  announcements: Announcements;
}

/** Where bookings are stored, looked for and resolved (F30-F35). */
export function createBookingStore({ db, prompt, sealer, announcements }: BookingStoreDeps) {
  return {
    store: (booking: { start: BookingStart; runId: string; at: number }) =>
      storeBooking(prompt, sealer, booking),
    /** Whether a run may send it: no other one stored it. */
    async mayBeSentBy(commandId: string, runId: string): Promise<boolean> {
      // one that began under 0.1.0 is stored nowhere
      return [runId, undefined].includes(await runOf(prompt, commandId));
    },
    search: (searched: BookingSearch) => searchBooking({ db, sealer, announcements }, searched),
    resolve: (settlement: BookingResolution) => resolveBooking(prompt, sealer, settlement),
    /** What its reservation is still to be notified of; undefined: nothing. */
    unsent: (commandId: string) => unsentBooking(prompt, sealer, commandId),
    /** The reservation of an applied booking has been notified. */
    markNotified: (commandId: string, at: number) => markNotified(prompt, commandId, at),
  };
}
export type BookingStore = ReturnType<typeof createBookingStore>;
