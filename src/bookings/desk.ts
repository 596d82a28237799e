import type {
  BookingLook,
  BookingSettled,
  BookingSettlement,
  BookingStart,
  Sighting,
} from '../contract/booking.js';
import type { HandoverDb } from '../db/handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Announcements, lookForBooking } from './look.js';
import { keepBooking, runOf } from './rows.js';
import { settleBooking } from './settle.js';

/** Where bookings are kept, looked for and settled (F30-F35). */
export interface BookingDesk {
  keep(kept: { start: BookingStart; runId: string; at: number }): Promise<'kept' | 'known'>;
  /** Whether a run may send it: no other one kept it. */
  mayBeSentBy(commandId: string, runId: string): Promise<boolean>;
  look(look: BookingLook): Promise<Sighting>;
  settle(settlement: BookingSettlement): Promise<BookingSettled>;
}

export function createBookingDesk(db: HandoverDb, sealer: Sealer, announcements: Announcements): BookingDesk {
  return {
    keep: (kept) => keepBooking(db, sealer, kept),
    async mayBeSentBy(commandId, runId) {
      // one that began under 0.1.0 is kept nowhere
      return [runId, undefined].includes(await runOf(db, commandId));
    },
    look: (look) => lookForBooking({ db, sealer, announcements }, look),
    settle: (settlement) => settleBooking(db, sealer, settlement),
  };
}
