import type {
  BookingRefusal,
  BookingResult,
  BookingStart,
  ResolveBookingInput,
} from '../../../contract/booking.js';
import type { BookingDetail, BookingFilter, BookingItem } from '../../../store/bookings/reads.js';
import type { ListPage } from '../../../store/page.js';

export interface Bookings {
  /**
   * Books once per command id. `pending`: not known within 10 s; `reused`: the id stands for another body.
   * @throws `EngineUnavailableError`
   */
  book(start: BookingStart): Promise<BookingResult | { outcome: 'pending' } | { outcome: 'reused' }>;
  /** Newest first. */
  list(filter: BookingFilter): Promise<ListPage<BookingItem>>;
  /** Undefined: there is no such booking. */
  read(commandId: string): Promise<BookingDetail | undefined>;
  /** What a person says became of a lost booking (F35). @throws `EngineUnavailableError` */
  resolve(
    commandId: string,
    input: ResolveBookingInput,
  ): Promise<{ kind: 'settled' } | { kind: 'refused'; refusal: BookingRefusal } | { kind: 'no-booking' }>;
}
