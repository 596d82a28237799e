import type { BookingResolution, BookingSearch, BookingStart } from '../../contract/booking.js';
import type { HandoverDb } from '../handover.js';
import type { PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Announcements, searchBooking } from './lost.js';
import { resolveBooking } from './resolve.js';
import { runOf, storeBooking } from './rows.js';
import { markNotified, unsentBooking } from './unsent.js';

interface BookingStoreDeps {
  /** For searches of the callbacks, which may take long (`HandoverDatabase`). */
  db: HandoverDb;
  /** For statements that a booking waits for. */
  prompt: HandoverDb;
  sealer: Sealer;
  announcements: Announcements;
  /** Absent: a person is not found by a booking that became no reservation. */
  persons?: Pick<PersonHashes, 'stored'>;
}

/** Stores bookings, searches for lost ones and resolves them (F30-F35). */
export function createBookingStore({ db, prompt, sealer, announcements, persons }: BookingStoreDeps) {
  return {
    store: (booking: { start: BookingStart; runId: string; at: number }) =>
      storeBooking(prompt, sealer, booking, persons),
    /** Whether a run may send the booking: no other run stored it. */
    async mayBeSentBy(commandId: string, runId: string): Promise<boolean> {
      // a booking that began under 0.1.0 is stored nowhere
      return [runId, undefined].includes(await runOf(prompt, commandId));
    },
    search: (searched: BookingSearch) => searchBooking({ db, sealer, announcements }, searched),
    resolve: (settlement: BookingResolution) => resolveBooking(prompt, sealer, settlement),
    /** The booking that its reservation still has to be notified of; undefined: none. */
    unsent: (commandId: string) => unsentBooking(prompt, sealer, commandId),
    /** The reservation of an applied booking has been notified. */
    markNotified: (commandId: string, at: number) => markNotified(prompt, commandId, at),
  };
}
export type BookingStore = ReturnType<typeof createBookingStore>;
