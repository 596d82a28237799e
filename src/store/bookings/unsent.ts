import { and, eq, isNotNull, lt, type SQL } from 'drizzle-orm';
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
 * Resolved bookings whose reservation was never notified, the oldest first: their run was ended in between.
 * @param before only bookings resolved before this instant: later ones may still be in progress
 * @throws `CodecError`
 */
export async function unsentBookings(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  { before, limit }: { before: number; limit: number },
): Promise<UnsentBooking[]> {
  return unsentAmong(db, sealer, { condition: lt(bookings.settledAt, before), limit });
}

/** The same of one booking; undefined: its reservation was notified, or it has none. */
export async function unsentBooking(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  commandId: string,
): Promise<UnsentBooking | undefined> {
  const [news] = await unsentAmong(db, sealer, { condition: eq(bookings.commandId, commandId), limit: 1 });
  return news;
}

async function unsentAmong(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  { condition, limit }: { condition: SQL; limit: number },
): Promise<UnsentBooking[]> {
  const rows = await db
    .select({ row: bookings, resolvedBy: audit.by })
    .from(bookings)
    .leftJoin(audit, and(eq(audit.commandId, bookings.commandId), eq(audit.action, 'booking.resolve')))
    .where(and(isNotNull(bookings.unsent), condition))
    .orderBy(bookings.settledAt)
    .limit(limit);
  return rows.flatMap(({ row, resolvedBy }) => {
    const { commandId, unsent, reservationId, settledAt, startAt, endAt } = row;
    if (unsent === null || reservationId === null || settledAt === null) return [];
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
  });
}
