import { and, eq, gt, inArray, isNull, lt, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { openStates } from '../bookings/rows.js';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import {
  bookings,
  caseFiles,
  endedReservations,
  holds,
  openReservations,
  unlistedReservations,
} from '../schema.js';
import { belongsToNoReservation } from './subjects.js';

/** What personal data is stored for, in milliseconds from the closing of its reservation. */
export interface StoredFor {
  reservationsMs: number;
  photosMs: number;
}

interface Due {
  reservations: number[];
  bookings: string[];
  holds: string[];
}

/** Reservations by the time of their closing, or of the note that their workflow was ended before it, or is lost. */
const closedBefore = (before: number) => and(isNull(caseFiles.erasedAt), lt(caseFiles.closedAt, before));
const endedBefore = (db: HandoverDb, before: number) =>
  and(
    lt(endedReservations.notedAt, before),
    notExists(
      db
        .select({ id: caseFiles.reservationId })
        .from(caseFiles)
        .where(eq(caseFiles.reservationId, endedReservations.reservationId)),
    ),
  );
const unlistedBefore = (db: HandoverDb, before: number) =>
  and(
    lt(unlistedReservations.removedAt, before),
    ...[caseFiles, openReservations].map((table) =>
      notExists(
        db
          .select({ id: table.reservationId })
          .from(table)
          .where(eq(table.reservationId, unlistedReservations.reservationId)),
      ),
    ),
  );
/**
 * Bookings and holds by that of their end, and where it was never recorded by the end of their period: two conditions, each with an
 * index of its own.
 */
const bookedBefore = (before: number) => [
  and(isNull(bookings.erasedAt), lt(bookings.settledAt, before), belongsToNoReservation),
  and(isNull(bookings.erasedAt), inArray(bookings.state, openStates), lt(bookings.endAt, before)),
];
const heldBefore = (before: number) => [
  and(isNull(holds.erasedAt), lt(holds.endedAt, before)),
  and(isNull(holds.erasedAt), isNull(holds.endedAt), lt(holds.endAt, before)),
];
const photosBefore = (before: number) =>
  and(isNull(caseFiles.photosErasedAt), lt(caseFiles.closedAt, before));

/**
 * What the retention erases next. What is still open is among it: it is refused, and reported.
 * @param limit of each kind @param except what was refused in this round
 */
export async function dueBefore(
  db: HandoverDb,
  { before, limit, except }: { before: number; limit: number; except: Due },
): Promise<Due> {
  const closed = await db
    .select({ id: caseFiles.reservationId })
    .from(caseFiles)
    .where(and(closedBefore(before), notInArray(caseFiles.reservationId, except.reservations)))
    .orderBy(caseFiles.closedAt)
    .limit(limit);
  const ended = await db
    .select({ id: endedReservations.reservationId })
    .from(endedReservations)
    .where(and(endedBefore(db, before), notInArray(endedReservations.reservationId, except.reservations)))
    .limit(limit);
  const unlisted = await db
    .select({ id: unlistedReservations.reservationId })
    .from(unlistedReservations)
    .where(
      and(unlistedBefore(db, before), notInArray(unlistedReservations.reservationId, except.reservations)),
    )
    .limit(limit);
  const booked: { id: string }[] = [];
  for (const due of bookedBefore(before)) {
    const is = and(due, notInArray(bookings.commandId, except.bookings));
    booked.push(...(await db.select({ id: bookings.commandId }).from(bookings).where(is).limit(limit)));
  }
  const held: { id: string }[] = [];
  for (const due of heldBefore(before)) {
    const is = and(due, notInArray(holds.holdId, except.holds));
    held.push(...(await db.select({ id: holds.holdId }).from(holds).where(is).limit(limit)));
  }
  return {
    reservations: [...new Set([...closed, ...ended, ...unlisted].map(({ id }) => id))],
    bookings: booked.slice(0, limit).map(({ id }) => id),
    holds: held.slice(0, limit).map(({ id }) => id),
  };
}

/** A reservation whose photos are due. `closedAt`: an instant. */
export interface PhotosDue {
  reservationId: number;
  closedAt: number;
}

/** Reservations whose photos the retention deletes next, the oldest first. @param after the last of those before */
export async function photosDueBefore(
  db: HandoverDb,
  { before, limit, after }: { before: number; limit: number; after: PhotosDue | undefined },
): Promise<PhotosDue[]> {
  const { reservationId, closedAt } = caseFiles;
  const isLater =
    after &&
    or(
      gt(closedAt, after.closedAt),
      and(eq(closedAt, after.closedAt), gt(reservationId, after.reservationId)),
    );
  return db
    .select({ reservationId, closedAt })
    .from(caseFiles)
    .where(and(photosBefore(before), isLater))
    .orderBy(closedAt, reservationId)
    .limit(limit);
}

const graceMs = 86_400_000;
const mostCounted = 1_000;

/** How many reservations, bookings and holds were due a day ago and are not erased, with those whose photos were; of each kind 1,000 at most. */
export async function countOverdue(
  db: HandoverDb,
  { reservationsMs, photosMs }: StoredFor,
  now: number,
): Promise<number> {
  const [before, photos] = [now - reservationsMs - graceMs, now - photosMs - graceMs];
  const count = (table: SQL | object, ...due: (SQL | undefined)[]) => {
    const rows = due.map((one) => sql`select from ${table} where ${one}`);
    return sql`(select count(*) from (${sql.join(rows, sql` union all `)} limit ${mostCounted}) one)`;
  };
  // one may be noted as ended and be unlisted too
  const reservations = sql`(select count(*) from (
    select ${caseFiles.reservationId} from ${caseFiles} where ${closedBefore(before)}
    union select ${endedReservations.reservationId} from ${endedReservations} where ${endedBefore(db, before)}
    union select ${unlistedReservations.reservationId} from ${unlistedReservations} where ${unlistedBefore(db, before)}
    limit ${mostCounted}) one)`;
  const found = await db.execute(sql`
    select (${reservations} + ${count(bookings, ...bookedBefore(before))} + ${count(holds, ...heldBefore(before))}
      + ${count(caseFiles, photosBefore(photos))})::integer as overdue`);
  return rowsOf<{ overdue: number }>(found)[0]?.overdue ?? 0;
}
