import type { BookingDeps } from '../../activities/booking.js';
import type { BookingActivities } from '../../src/contract/activities.js';
import type { BookingAttempt } from '../../src/contract/attempt.js';
import {
  type BookingResolution,
  type BookingResolved,
  type BookingStart,
  bookingNews,
} from '../../src/contract/booking.js';
import type { BookingState, Sighting } from '../../src/domain/booking/types.js';
import type { Booking } from '../../src/domain/reservation/index.js';
import type { BookingReads, KnownBooking } from '../../src/store/bookings/reads.js';
import { startMarkOf } from '../../src/store/sealing/mark.js';
import { policy } from './reservation-story.js';
import { noRoles } from './roles.js';

/** Bookings in memory; the test sets what searches find. */
export class FakeBookings {
  readonly stored: BookingStart[] = [];
  readonly settlements: BookingResolution[] = [];
  /** Results of the next searches; after them none. */
  readonly sightings: Sighting[] = [];
  /** Another run of each booking has stored it. */
  areOfAnotherRun = false;
  /** Why an outcome is unknown, by command id. */
  readonly lost = new Map<string, string>();
  readonly alerts: { change: 'raised' | 'cleared'; state?: BookingState }[] = [];
  readonly notified: { reservationId: number; booking: Booking }[] = [];

  bookingStore(): BookingDeps['bookingStore'] {
    return {
      store: async ({ start }) => {
        this.stored.push(start);
        return this.areOfAnotherRun ? 'known' : 'kept';
      },
      mayBeSentBy: async () => true,
      search: async ({ commandId, code }) => {
        this.lost.set(commandId, code);
        return this.sightings.shift() ?? { kind: 'none' };
      },
      resolve: async (settlement) => this.settle(settlement),
      unsent: async () => undefined,
      markNotified: async () => {},
    };
  }

  /** What an activity that sends a booking does around its request. */
  async record(start: BookingStart, attempt: BookingAttempt): Promise<BookingAttempt> {
    this.stored.push(start);
    if (attempt.outcome === 'wait' || attempt.outcome === 'unknown') return attempt;
    const { isRecorded: _, ...end } = attempt;
    const at = Date.now();
    this.settle({ commandId: start.commandId, at, end });
    if (end.outcome === 'applied') {
      this.notified.push({ reservationId: end.reservationId, booking: bookingNews(start, { at, end }) });
    }
    return { ...end, isRecorded: true };
  }

  activities(): BookingActivities {
    const { store, search, resolve } = this.bookingStore();
    return {
      keepBooking: store,
      lookForBooking: search,
      settleBooking: resolve,
      raiseBookingAlert: async ({ state }) => void this.alerts.push({ change: 'raised', state }),
      clearBookingAlert: async () => void this.alerts.push({ change: 'cleared' }),
      tellReservation: async (news) => void this.notified.push(news),
    };
  }

  /** As the status API reads them. */
  reads(): BookingReads {
    const find = async (commandId: string): Promise<KnownBooking | undefined> => {
      const start = this.stored.find((one) => one.commandId === commandId);
      const settlement = this.settlements.find((one) => one.commandId === commandId);
      const end = settlement?.end ?? null;
      if (start === undefined) return undefined;
      const state = end?.outcome ?? (this.lost.has(commandId) ? 'unknown' : 'out');
      const mark = startMarkOf(commandId, start.request);
      const settlementId = settlement?.person?.settlementId ?? null;
      return { mark, state, code: this.lost.get(commandId) ?? null, settlementId, end };
    };
    const none = async () => undefined;
    return { find, read: none, list: async () => ({ items: [], nextCursor: null, asOf: 0 }) };
  }

  private settle(settlement: BookingResolution): BookingResolved {
    const { end, commandId } = settlement;
    const claimant = this.settlements.find(
      (one) =>
        one.end.outcome === 'applied' &&
        end.outcome === 'applied' &&
        one.end.reservationId === end.reservationId &&
        one.commandId !== commandId,
    );
    if (claimant !== undefined && end.settledBy !== undefined) {
      return { kind: 'claimed', commandId: claimant.commandId };
    }
    this.settlements.push(settlement);
    return { kind: 'settled' };
  }
}

/** For workers that book nothing. */
export const noBookings: BookingDeps = {
  client: noRoles.client,
  queue: noRoles.queue,
  alerts: noRoles.alerts,
  bookingStore: new FakeBookings().bookingStore(),
  policy,
  isClosed: async () => false,
};
