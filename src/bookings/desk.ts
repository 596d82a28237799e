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
import { keepBooking } from './rows.js';
import { settleBooking } from './settle.js';

/** Where bookings are kept, looked for and settled (F30-F35). */
export interface BookingDesk {
  keep(kept: { start: BookingStart; runId: string; at: number }): Promise<'kept' | 'known'>;
  look(look: BookingLook): Promise<Sighting>;
  settle(settlement: BookingSettlement): Promise<BookingSettled>;
}

export function createBookingDesk(db: HandoverDb, sealer: Sealer, announcements: Announcements): BookingDesk {
  return {
    keep: (kept) => keepBooking(db, sealer, kept),
    look: (look) => lookForBooking({ db, sealer, announcements }, look),
    settle: (settlement) => settleBooking(db, sealer, settlement),
  };
}
