import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { holdWorkflowId } from '../../contract/hold.js';
import { bookingWorkflowId, photoKeyScope, reservationWorkflowId } from '../../contract/names.js';
import { withoutPhotos } from '../../domain/reservation/erased-view.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import type { AuditEntry } from '../../domain/shared/audit.js';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { rowOf as caseFileRow, type StoredView } from '../reservations/case-files.js';
import {
  caseFiles,
  dataKeys,
  type ErasureCounts,
  openReservations,
  unlistedReservations,
} from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { noCounts } from './certificates.js';
import { deleteTexts } from './delete-texts.js';
import { emptyBookings, emptyCaseFile, emptyHolds } from './empty-rows.js';
import { writeRemains } from './remains.js';
import type { Erased, Tx } from './types.js';
import { openJson } from './unreadable.js';

/** One transaction of an erasure at a time: of two at once the second waits, and finds erased rows. */
export function inErasure<T>(db: HandoverDb, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${erasureLock})`);
    return write(tx);
  });
}

/** Any number that no other lock of Handover has. */
const erasureLock = 7_416_001;

/** The scopes of its data keys. */
export function scopesOf({
  reservationId,
  bookings: commandIds,
  holds: holdIds,
}: Pick<Erased, 'reservationId' | 'bookings' | 'holds'>): string[] {
  return [
    ...(reservationId === null ? [] : [reservationWorkflowId(reservationId), photoKeyScope(reservationId)]),
    ...commandIds.map(bookingWorkflowId),
    ...holdIds.map(holdWorkflowId),
  ];
}

/**
 * Destroys the data keys, and empties every row of what is personal; ids, times, codes and rules stay. In one transaction:
 * nothing is erased by halves. Of what was erased before only texts that have come since.
 * @param lastView of a reservation without a case file that can be read. Where its workflow was ended before it closed, it has
 * none, and gets one, so that it never begins again
 */
export async function eraseRows(
  tx: Tx,
  sealer: Sealer,
  erased: Erased & { lastView?: ReservationView | undefined },
): Promise<Omit<ErasureCounts, 'photos'>> {
  const { isErased = false, at, by } = erased;
  const { photos: _, ...none } = noCounts;
  const counts = {
    ...none,
    ...(await deleteTexts(tx, erased)),
    ...(!isErased && (await emptyRows(tx, sealer, erased))),
  };
  for (const entry of entriesOf(erased))
    await writeAudit(tx, sealer, { ...entry, at, by, reason: null, data: counts });
  return counts;
}

/** Bookings and holds of a reservation go with it, without an entry of their own. */
function entriesOf({
  reservationId,
  bookings,
  holds,
}: Pick<Erased, 'reservationId' | 'bookings' | 'holds'>): Pick<AuditEntry, 'action' | 'subject'>[] {
  if (reservationId !== null)
    return [{ action: 'reservation.erase', subject: `reservation/${reservationId}` }];
  return [
    ...bookings.map((id) => ({ action: 'booking.erase' as const, subject: `booking/${id}` })),
    ...holds.map((id) => ({ action: 'hold.erase' as const, subject: `hold/${id}` })),
  ];
}

async function emptyRows(
  tx: Tx,
  sealer: Sealer,
  erased: Parameters<typeof eraseRows>[2],
): Promise<Omit<ErasureCounts, 'photos' | 'bodies' | 'posts' | 'reasons'>> {
  const { reservationId } = erased;
  const counts = {
    reservations: reservationId === null ? 0 : 1,
    keys: await destroyKeys(tx, sealer, erased),
    bookings: await emptyBookings(tx, sealer, erased),
    ...(await emptyHolds(tx, sealer, erased)),
    payloads: [...erased.remains.values()].reduce((sum, { size }) => sum + size, 0),
  };
  if (reservationId !== null) {
    const isRead = await emptyCaseFile(tx, sealer, { ...erased, reservationId });
    if (!isRead) counts.unreadable += 1;
    await tx.delete(openReservations).where(eq(openReservations.reservationId, reservationId));
    await tx.delete(unlistedReservations).where(eq(unlistedReservations.reservationId, reservationId));
  }
  return counts;
}

/** A scope that never had a key gets a destroyed one, so that none is made for it later. @returns how many there were */
async function destroyKeys(tx: Tx, sealer: Sealer, erased: Erased): Promise<number> {
  const { at } = erased;
  const scopes = scopesOf(erased);
  if (scopes.length === 0) return 0;
  for (const [scope, remains] of erased.remains) await writeRemains(tx, sealer, { scope, remains, at });
  return destroy(tx, scopes, at);
}

async function destroy(tx: Tx, scopes: readonly string[], at: number): Promise<number> {
  const gone = { wrapped: null, wrappedUnder: '', destroyedAt: at };
  const destroyed = await tx
    .update(dataKeys)
    .set(gone)
    .where(and(inArray(dataKeys.scope, [...scopes]), isNotNull(dataKeys.wrapped)))
    .returning({ scope: dataKeys.scope });
  await tx
    .insert(dataKeys)
    .values(scopes.map((scope) => ({ scope, ...gone })))
    .onConflictDoNothing();
  return destroyed.length;
}

/**
 * Photos of closed reservations, which were deleted: destroys their keys, and empties what case files show of them. A case file that
 * no key of ours opens stays due: it may name photos without a key of their own.
 * @returns how many keys, and whose photos are erased now
 */
export async function erasePhotoRows(
  tx: Tx,
  sealer: Sealer,
  { reservations, at }: { reservations: readonly number[]; at: number },
): Promise<{ keys: number; erased: number[] }> {
  if (reservations.length === 0) return { keys: 0, erased: [] };
  const rows = await tx
    .select({ reservationId: caseFiles.reservationId, view: caseFiles.view })
    .from(caseFiles)
    // not those that an erasure has emptied meanwhile
    .where(and(inArray(caseFiles.reservationId, [...reservations]), isNull(caseFiles.photosErasedAt)))
    .for('update');
  const erased: number[] = [];
  for (const { reservationId, view: sealed } of rows) {
    const row = caseFileRow(reservationId);
    const stored = openJson<StoredView>(sealer, sealed, row);
    if (stored === undefined) continue;
    const { photosLeft: _, ...view } = stored;
    const left = sealer.seal(Buffer.from(JSON.stringify(withoutPhotos(view))), row);
    await tx
      .update(caseFiles)
      .set({ view: left, photosErasedAt: at })
      .where(eq(caseFiles.reservationId, reservationId));
    erased.push(reservationId);
  }
  const keys = await destroy(tx, reservations.map(photoKeyScope), at);
  return { keys, erased };
}
