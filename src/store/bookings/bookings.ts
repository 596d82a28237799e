import type { BookingLook, BookingSettled, BookingSettlement, BookingStart } from '../../contract/booking.js';
import type { Sighting } from '../../domain/booking/types.js';
import type { HandoverDb } from '../handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Announcements, lookForBooking } from './lost.js';
import { settleBooking } from './resolve.js';
import { keepBooking, runOf } from './rows.js';
import { markNotified } from './unsent.js';

/** Where bookings are kept, looked for and settled (F30-F35). */
export interface BookingDesk {
  keep(kept: { start: BookingStart; runId: string; at: number }): Promise<'kept' | 'known'>;
  /** Whether a run may send it: no other one kept it. */
  mayBeSentBy(commandId: string, runId: string): Promise<boolean>;
  look(look: BookingLook): Promise<Sighting>;
  settle(settlement: BookingSettlement): Promise<BookingSettled>;
  /** The reservation of an applied booking has been notified. */
  notified(commandId: string, at: number): Promise<void>;
}

export interface BookingDeskDeps {
  /** For looks among the callbacks, which may take long (`HandoverDatabase`). */
  db: HandoverDb;
  /** For what a booking waits for. */
  prompt: HandoverDb;
  sealer: Sealer;
  announcements: Announcements;
}

export function createBookingDesk({ db, prompt, sealer, announcements }: BookingDeskDeps): BookingDesk {
  return {
    keep: (kept) => keepBooking(prompt, sealer, kept),
    async mayBeSentBy(commandId, runId) {
      // one that began under 0.1.0 is kept nowhere
      return [runId, undefined].includes(await runOf(prompt, commandId));
    },
    look: (look) => lookForBooking({ db, sealer, announcements }, look),
    settle: (settlement) => settleBooking(prompt, sealer, settlement),
    notified: (commandId, at) => markNotified(prompt, commandId, at),
  };
}
