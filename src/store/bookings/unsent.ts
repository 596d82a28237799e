import { and, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { type BookingEnd, bookingNews } from '../../contract/booking.js';
import type { Booking } from '../../domain/reservation/index.js';
import type { HandoverDb } from '../handover.js';
import { audit, bookings } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { sealedRow } from './rows.js';

interface UnsentBooking {
  reservationId: number;
  booking: Booking;
}

/** The reservation of a booking has been notified, before or after the booking was resolved; idempotent. */
export async function markNotified(db: HandoverDb, commandId: string, at: number): Promise<void> {
  await db.update(bookings).set({ notifiedAt: at, unsent: null }).where(eq(bookings.commandId, commandId));
}

/**
 * Command ids of resolved bookings whose reservation was never notified, the oldest first: their run was ended in between.
 * @param before only bookings resolved before this instant: later ones may still be in progress
 */
export async function* unsentBookings(db: HandoverDb, before: number, atOnce = 100): AsyncGenerator<string> {
  const { commandId, settledAt, unsent } = bookings;
  let after: SQL | undefined;
  for (;;) {
    const rows = await db
      .select({ commandId, settledAt })
      .from(bookings)
      .where(and(isNotNull(unsent), lt(settledAt, before), after))
      .orderBy(settledAt, commandId)
      .limit(atOnce);
    for (const row of rows) yield row.commandId;
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = sql`(${settledAt}, ${commandId}) > (${sql.param(last.settledAt, settledAt)}, ${last.commandId})`;
  }
}

/**
 * What the reservation of a booking is to know of it; undefined: it was notified, or there is none.
 * @throws `CodecError`
 */
export async function unsentBooking(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  commandId: string,
): Promise<UnsentBooking | undefined> {
  const [found] = await db
    .select({ row: bookings, resolvedBy: audit.by })
    .from(bookings)
    .leftJoin(audit, and(eq(audit.commandId, bookings.commandId), eq(audit.action, 'booking.resolve')))
    .where(and(isNotNull(bookings.unsent), eq(bookings.commandId, commandId)))
    .limit(1);
  if (found === undefined) return undefined;
  const { row, resolvedBy } = found;
  const { unsent, reservationId, settledAt, startAt, endAt } = row;
  if (unsent === null || reservationId === null || settledAt === null) return undefined;
  const request = JSON.parse(sealer.open(unsent, sealedRow(commandId, 'request')).toString());
  const end: Extract<BookingEnd, { outcome: 'applied' }> = {
    outcome: 'applied',
    reservationId,
    status: row.status,
    carNumber: row.carNumber,
    pickupAt: row.pickupAt ?? startAt,
    returnAt: row.returnAt ?? endAt,
    settledBy: row.settledBy ?? 'answer',
  };
  const by = resolvedBy ?? row.by;
  return { reservationId, booking: bookingNews({ commandId, by, request }, { at: settledAt, end }) };
}
