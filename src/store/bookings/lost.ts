import type { BookingSearch } from '../../contract/booking.js';
import { type Announcement, candidatesAmong, judge, mergeCandidates } from '../../domain/booking/match.js';
import type { PlaceInInbox, Sighting } from '../../domain/booking/types.js';
import type { HandoverDb } from '../handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { filterUnclaimed, noteBooking, openBooking, readStatesAlike } from './rows.js';

/** The callbacks of the inbox that carry a whole reservation, in order of receipt. */
export interface Announcements {
  /** Callbacks received from an instant on, `limit` at most. `more`: where the next page begins. */
  read(page: { from: number; after?: PlaceInInbox; limit: number }): Promise<{
    announcements: (Announcement & { isRegistration: boolean })[];
    more?: PlaceInInbox;
  }>;
  /** Which of these reservations have a registration there. */
  registered(reservationIds: number[]): Promise<number[]>;
}

const perPage = 1_000;

/**
 * Searches the callbacks for a lost booking (F31-F34), and records the result. A registration states what was booked; an
 * update counts only where there is no registration, because it may report a change.
 *
 * The callbacks are read before the bookings: a booking is stored before its callback exists.
 */
export async function searchBooking(
  {
    db,
    sealer,
    announcements,
  }: { db: HandoverDb; sealer: Pick<Sealer, 'open'>; announcements: Announcements },
  { commandId, code, from, after }: BookingSearch,
): Promise<Sighting> {
  const booking = await openBooking(db, sealer, commandId);
  if (typeof booking === 'string') return { kind: booking };
  const page = await announcements.read({ from, limit: perPage, ...(after !== undefined && { after }) });
  const { request } = booking;
  const registrations = candidatesAmong(
    request,
    page.announcements.filter((one) => one.isRegistration),
  );
  const updates = candidatesAmong(
    request,
    page.announcements.filter((one) => !one.isRegistration),
  );
  const registered = await announcements.registered(updates.map(({ reservationId }) => reservationId));
  const unregistered = updates.filter(({ reservationId }) => !registered.includes(reservationId));
  const found = mergeCandidates([...booking.candidates, ...registrations, ...unregistered]);
  const candidates = await filterUnclaimed(db, booking, found);
  if (page.more !== undefined) {
    await noteBooking(db, commandId, { state: 'unknown', code, candidates });
    return { kind: 'none', more: page.more };
  }
  const sighting = judge(candidates, await readStatesAlike(db, sealer, booking));
  if (sighting.kind === 'one') return sighting;
  const state = sighting.kind === 'several' ? 'ambiguous' : 'unknown';
  await noteBooking(db, commandId, { state, code, candidates });
  return sighting;
}
