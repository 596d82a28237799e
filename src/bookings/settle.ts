import { and, eq, inArray, ne } from 'drizzle-orm';
import { type AuditEntry, writeAudit } from '../audit/audit.js';
import type { BookingEnd, BookingSettled, BookingSettlement } from '../contract/booking.js';
import { databaseErrorCode } from '../db/errors.js';
import type { HandoverDb } from '../db/handover.js';
import { bookings } from '../db/schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { openStates } from './rows.js';

const uniqueViolation = '23505';
const statusLetters = 200;

/**
 * Ends a booking, once (F32, F35): of several settlements one takes effect, and the same one again changes nothing.
 * What was asked for is kept no longer (F39); the audit tells who booked what, and who settled it. A reservation is
 * claimed by one booking alone, unless the platform itself gives it to several.
 */
export async function settleBooking(
  db: HandoverDb,
  sealer: Pick<Sealer, 'seal'>,
  settlement: BookingSettlement,
): Promise<BookingSettled> {
  const { commandId, at, end, person } = settlement;
  const claimant = await claimantOf(db, settlement);
  if (claimant !== undefined) return { kind: 'claimed', commandId: claimant };
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx
        .update(bookings)
        .set({
          ...columnsOf(sealer, end),
          request: null,
          settledAt: at,
          settledBy: end.settledBy ?? 'answer',
          settlementId: person?.settlementId ?? null,
        })
        .where(and(eq(bookings.commandId, commandId), inArray(bookings.state, openStates)))
        .returning();
      if (row === undefined) return settledBefore(tx, settlement);
      for (const entry of auditOf(row, settlement)) await writeAudit(tx, sealer, entry);
      return { kind: 'settled' };
    });
  } catch (error) {
    if (databaseErrorCode(error) !== uniqueViolation) throw error;
    // somebody claimed the reservation in the same moment
    return { kind: 'claimed', commandId: (await claimantOf(db, settlement)) ?? '' };
  }
}

/** Which other booking has the reservation; an answer asks nobody. */
async function claimantOf(
  db: HandoverDb,
  { commandId, end }: BookingSettlement,
): Promise<string | undefined> {
  if (end.outcome !== 'applied' || (end.settledBy ?? 'answer') === 'answer') return undefined;
  const [other] = await db
    .select({ commandId: bookings.commandId })
    .from(bookings)
    .where(and(eq(bookings.reservationId, end.reservationId), ne(bookings.commandId, commandId)))
    .limit(1);
  return other?.commandId;
}

async function settledBefore(
  tx: Pick<HandoverDb, 'select'>,
  { commandId, end, person }: BookingSettlement,
): Promise<BookingSettled> {
  const [row] = await tx.select().from(bookings).where(eq(bookings.commandId, commandId));
  if (row === undefined) return { kind: 'missing' };
  const isSame =
    row.state === end.outcome &&
    row.settledBy === (end.settledBy ?? 'answer') &&
    row.reservationId === (end.outcome === 'applied' ? end.reservationId : null) &&
    row.settlementId === (person?.settlementId ?? null);
  return { kind: isSame ? 'settled' : 'other' };
}

function columnsOf(sealer: Pick<Sealer, 'seal'>, end: BookingEnd) {
  if (end.outcome === 'rejected') {
    return { state: end.outcome, code: end.code, message: sealer.seal(Buffer.from(end.message)) };
  }
  const { outcome: state, reservationId, status, carNumber, pickupAt, returnAt } = end;
  return {
    state,
    reservationId,
    status: status?.slice(0, statusLetters) ?? null,
    carNumber,
    pickupAt,
    returnAt,
    code: null,
  };
}

function auditOf(
  { by, productId, createdAt }: { by: string; productId: number; createdAt: number },
  { commandId, at, end, person }: BookingSettlement,
): AuditEntry[] {
  const data = {
    productId,
    outcome: end.outcome,
    reservationId: end.outcome === 'applied' ? end.reservationId : null,
    code: end.outcome === 'rejected' ? end.code : null,
    settledBy: end.settledBy ?? 'answer',
  };
  const entry = { commandId, subject: `booking/${commandId}`, data };
  const created = { ...entry, at: createdAt, by, action: 'booking.create', reason: null };
  if (person === undefined) return [created];
  return [created, { ...entry, at, by: person.by, action: 'booking.resolve', reason: person.reason }];
}
