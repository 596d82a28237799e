import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { holdWorkflowId } from '../../contract/hold.js';
import { bookingWorkflowId, photoKeyScope, reservationWorkflowId } from '../../contract/names.js';
import { withoutPhotos } from '../../domain/reservation/erased-view.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import { writeAudit } from '../audit.js';
import { rowOf as caseFileRow, type StoredView } from '../reservations/case-files.js';
import {
  audit,
  caseFiles,
  dataKeys,
  type ErasureCounts,
  inbox,
  openReservations,
  outbox,
  unlistedReservations,
} from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { emptyBookings, emptyCaseFile, emptyHolds, type Tx } from './empty-rows.js';
import { type Remains, writeRemains } from './remains.js';
import { openJson } from './unreadable.js';

/** One reservation that is erased with what belongs to it, or a booking or hold by itself. */
export interface Erased {
  reservationId: number | null;
  /** Command ids. */
  bookings: string[];
  holds: string[];
  /** Hashes of photos that are not deleted yet; absent: none. */
  photosLeft?: readonly string[];
  /** What is left of the payloads of each scope. */
  remains: ReadonlyMap<string, Remains>;
  by: string;
  /** An instant. */
  at: number;
}

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
 * nothing is erased by halves.
 * @param lastView of a reservation without a case file that can be read. Where its workflow was ended before it closed, it has
 * none, and gets one, so that it never begins again
 */
export async function eraseRows(
  tx: Tx,
  sealer: Sealer,
  erased: Erased & { lastView?: ReservationView | undefined },
): Promise<Omit<ErasureCounts, 'photos'>> {
  const { reservationId, at, by } = erased;
  const keys = await destroyKeys(tx, sealer, erased);
  const events = reservationId === null ? [] : await eventsOf(tx, reservationId);
  const counts = {
    reservations: reservationId === null ? 0 : 1,
    bookings: await emptyBookings(tx, sealer, erased),
    ...(await emptyHolds(tx, sealer, erased)),
    keys,
    bodies: reservationId === null ? 0 : await deleteBodies(tx, { reservationId, at }),
    posts: reservationId === null ? 0 : await deletePosts(tx, reservationId),
    reasons: await deleteReasons(tx, erased, events),
    payloads: [...erased.remains.values()].reduce((sum, { size }) => sum + size, 0),
  };
  if (reservationId !== null) {
    const isRead = await emptyCaseFile(tx, sealer, { ...erased, reservationId, lastView: erased.lastView });
    if (!isRead) counts.unreadable += 1;
    await tx.delete(openReservations).where(eq(openReservations.reservationId, reservationId));
    await tx.delete(unlistedReservations).where(eq(unlistedReservations.reservationId, reservationId));
    const subject = `reservation/${reservationId}`;
    await writeAudit(tx, sealer, {
      at,
      by,
      action: 'reservation.erase',
      subject,
      reason: null,
      data: counts,
    });
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

/** Photos of closed reservations, which were deleted: their keys, and what case files show of them. @returns how many keys */
export async function erasePhotoRows(
  tx: Tx,
  sealer: Sealer,
  { reservations, at }: { reservations: readonly number[]; at: number },
): Promise<number> {
  if (reservations.length === 0) return 0;
  const rows = await tx
    .select({ reservationId: caseFiles.reservationId, view: caseFiles.view })
    .from(caseFiles)
    // not those that an erasure has emptied meanwhile
    .where(and(inArray(caseFiles.reservationId, [...reservations]), isNull(caseFiles.photosErasedAt)))
    .for('update');
  for (const { reservationId, view: sealed } of rows) {
    const row = caseFileRow(reservationId);
    const left = sealWithoutPhotos(sealer, openJson<StoredView>(sealer, sealed, row), row);
    await tx
      .update(caseFiles)
      .set({ ...left, photosErasedAt: at })
      .where(eq(caseFiles.reservationId, reservationId));
  }
  return destroy(tx, reservations.map(photoKeyScope), at);
}

function sealWithoutPhotos(sealer: Sealer, stored: StoredView | undefined, row: string) {
  if (stored === undefined) return undefined;
  const { photosLeft: _, ...view } = stored;
  return { view: sealer.seal(Buffer.from(JSON.stringify(withoutPhotos(view))), row) };
}

async function eventsOf(tx: Tx, reservationId: number): Promise<number[]> {
  const rows = await tx.select({ id: inbox.id }).from(inbox).where(eq(inbox.reservationId, reservationId));
  return rows.map(({ id }) => id);
}

/**
 * Of callbacks with a verdict, and of dead letters, which get one: none is replayed any more. The hashes of their bodies go too, by
 * which a guess of a body could be confirmed under CODEC_KEYS. What is still on its way gets its verdict first; its body then
 * lasts INTAKE_RETENTION.
 */
async function deleteBodies(
  tx: Tx,
  { reservationId, at }: { reservationId: number; at: number },
): Promise<number> {
  const own = eq(inbox.reservationId, reservationId);
  const gone = { raw: null, headers: {} };
  const judged = await tx
    .update(inbox)
    .set(gone)
    .where(and(own, eq(inbox.state, 'done'), isNotNull(inbox.raw)))
    .returning({ id: inbox.id });
  const dead = await tx
    .update(inbox)
    .set({ ...gone, state: 'done', verdict: 'after-terminal', rule: 'L08', verdictAt: at })
    .where(and(own, eq(inbox.state, 'dead')))
    .returning({ id: inbox.id });
  // of bodies that the retention has removed before, too
  await tx
    .update(inbox)
    .set({ contentHash: '', eventId: sql`case identity when 'content' then 'erased' else event_id end` })
    .where(and(own, eq(inbox.state, 'done')));
  return judged.length + dead.length;
}

/** Callbacks that still wait for FORWARD_URL, or were given up. */
async function deletePosts(tx: Tx, reservationId: number): Promise<number> {
  const key = `reservation-${reservationId}`;
  const deleted = await tx.delete(outbox).where(eq(outbox.key, key)).returning({ id: outbox.id });
  return deleted.length;
}

async function deleteReasons(
  tx: Tx,
  { reservationId, bookings: commandIds, holds: holdIds }: Erased,
  events: readonly number[],
): Promise<number> {
  const subjects = [
    ...(reservationId === null ? [] : [`reservation/${reservationId}`]),
    ...commandIds.map((id) => `booking/${id}`),
    ...holdIds.map((id) => `hold/${id}`),
    ...events.map((id) => `inbox/${id}`),
  ];
  // of a replay by selection the subject is the inbox
  const naming: SQL | undefined =
    reservationId === null
      ? undefined
      : sql`(${audit.subject} = 'inbox' or ${audit.subject} like 'finding/%')
          and ${audit.data} ->> 'reservationId' = ${`${reservationId}`}`;
  const deleted = await tx
    .update(audit)
    .set({ reason: null })
    .where(and(isNotNull(audit.reason), or(inArray(audit.subject, subjects), naming)))
    .returning({ id: audit.id });
  return deleted.length;
}
