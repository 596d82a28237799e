import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import {
  type BookingEnd,
  type BookingResolution,
  type BookingResolved,
  resolutionMark,
} from '../../contract/booking.js';
import { standingOf } from '../../domain/shared/idempotency.js';
import { type NewAuditEntry, writeAudit } from '../audit.js';
import { databaseErrorCode } from '../connection/errors.js';
import type { HandoverDb } from '../handover.js';
import { bookings } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { openSettlementMark, openStates, sealedRow } from './rows.js';
import { joinTexts } from './texts.js';

const uniqueViolation = '23505';
const statusLetters = 200;
/** Resolving and notifying run side by side: the reservation may have been notified first. */
const untilNotified = sql`case when ${bookings.notifiedAt} is null then ${bookings.request} end`;

/**
 * Ends a booking once (F32, F35): the first resolution takes effect, and a repeat of it changes nothing. The request is
 * stored only until the reservation has been notified (F39); the audit states who booked what, and who resolved it. Only
 * one booking can claim a reservation, unless the platform's own answers assign it to several.
 */
export async function resolveBooking(
  db: HandoverDb,
  sealer: Sealer,
  resolution: BookingResolution,
): Promise<BookingResolved> {
  const { commandId, at, end, person } = resolution;
  const claimant = await claimantOf(db, resolution);
  if (claimant !== undefined) return { kind: 'claimed', commandId: claimant };
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx
        .update(bookings)
        .set({
          ...columnsOf(sealer, commandId, end),
          ...(end.outcome === 'applied' && { unsent: untilNotified }),
          request: null,
          settledAt: at,
          settledBy: end.settledBy ?? 'answer',
          settlementId: person?.settlementId ?? null,
          settlementMark: sealedMark(sealer, resolution),
        })
        .where(and(eq(bookings.commandId, commandId), inArray(bookings.state, openStates)))
        .returning();
      if (row === undefined) return readEarlierResolution(tx, sealer, resolution);
      for (const entry of auditOf(row, resolution)) await writeAudit(tx, sealer, entry);
      return { kind: 'settled' };
    });
  } catch (error) {
    if (databaseErrorCode(error) !== uniqueViolation) throw error;
    // another booking has just claimed the reservation
    return { kind: 'claimed', commandId: (await claimantOf(db, resolution)) ?? '' };
  }
}

/** The other booking that has the reservation. Not checked where the platform answered. */
async function claimantOf(
  db: HandoverDb,
  { commandId, end }: BookingResolution,
): Promise<string | undefined> {
  if (end.outcome !== 'applied' || (end.settledBy ?? 'answer') === 'answer') return undefined;
  const [other] = await db
    .select({ commandId: bookings.commandId })
    .from(bookings)
    .where(and(eq(bookings.reservationId, end.reservationId), ne(bookings.commandId, commandId)))
    .limit(1);
  return other?.commandId;
}

async function readEarlierResolution(
  tx: Pick<HandoverDb, 'select'>,
  sealer: Pick<Sealer, 'open'>,
  resolution: BookingResolution,
): Promise<BookingResolved> {
  const { commandId, end, person } = resolution;
  const [row] = await tx.select().from(bookings).where(eq(bookings.commandId, commandId));
  if (row === undefined) return { kind: 'missing' };
  const mark = markOfResolution(resolution);
  const isSame =
    row.state === end.outcome &&
    row.settledBy === (end.settledBy ?? 'answer') &&
    row.reservationId === (end.outcome === 'applied' ? end.reservationId : null) &&
    row.settlementId === (person?.settlementId ?? null) &&
    (mark === undefined || standingOf({ mark: openSettlementMark(sealer, row) }, mark) === 'same');
  return { kind: isSame ? 'settled' : 'other' };
}

/** Undefined: no person resolves it. */
function markOfResolution({ end, person }: BookingResolution): string | undefined {
  if (person === undefined) return undefined;
  const { outcome } = end;
  return resolutionMark({
    outcome,
    reason: person.reason,
    ...(outcome === 'applied' && { reservationId: end.reservationId }),
  });
}

function sealedMark(sealer: Pick<Sealer, 'seal'>, resolution: BookingResolution): Buffer | null {
  const mark = markOfResolution(resolution);
  return mark === undefined
    ? null
    : sealer.seal(Buffer.from(mark), sealedRow(resolution.commandId, 'settlement'));
}

function columnsOf(sealer: Pick<Sealer, 'seal'>, commandId: string, end: BookingEnd) {
  if (end.outcome === 'rejected') {
    const message = sealer.seal(Buffer.from(joinTexts(end)), sealedRow(commandId, 'message'));
    return { state: end.outcome, code: end.code, message };
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
  { commandId, at, end, person }: BookingResolution,
): NewAuditEntry[] {
  const data = {
    productId,
    outcome: end.outcome,
    reservationId: end.outcome === 'applied' ? end.reservationId : null,
    code: end.outcome === 'rejected' ? end.code : null,
    settledBy: end.settledBy ?? 'answer',
  };
  const entry = { commandId, subject: `booking/${commandId}`, data };
  const created = { ...entry, at: createdAt, by, action: 'booking.create', reason: null } as const;
  if (person === undefined) return [created];
  return [created, { ...entry, at, by: person.by, action: 'booking.resolve', reason: person.reason }];
}
