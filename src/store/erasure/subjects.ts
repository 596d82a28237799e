import { and, arrayOverlaps, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { holdWorkflowId } from '../../contract/hold.js';
import { bookingWorkflowId, reservationWorkflowId } from '../../contract/names.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import { openStates } from '../bookings/rows.js';
import type { HandoverDb } from '../handover.js';
import { rowOf, type StoredView } from '../reservations/case-files.js';
import {
  bookings,
  caseFiles,
  endedReservations,
  holds,
  openReservations,
  timeline,
  unlistedReservations,
} from '../schema.js';
import type { PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { openJson } from './unreadable.js';

/** What belongs to a reservation beside its own rows. */
interface Belongings {
  /** Command ids of its bookings. */
  bookings: string[];
  /** Its holds that are over. */
  holds: string[];
  openHolds: string[];
}

/** What the database knows of a reservation. */
export interface Subject extends Belongings {
  reservationId: number;
  state: 'open' | 'closed' | 'erased' | 'ended' | 'unknown';
  /** Of its last view; none where it cannot be read. */
  photoHashes: string[];
  /** False: it has a case file that no key of ours opens, which may name photos. */
  isReadable: boolean;
}

export async function readSubject(db: HandoverDb, sealer: Sealer, reservationId: number): Promise<Subject> {
  const [file] = await db
    .select({ view: caseFiles.view, erasedAt: caseFiles.erasedAt })
    .from(caseFiles)
    .where(eq(caseFiles.reservationId, reservationId));
  const belongings = await belongingsOf(db, reservationId);
  if (file === undefined) {
    const state = await stateWithoutFile(db, reservationId);
    return { reservationId, state, photoHashes: [], isReadable: true, ...belongings };
  }
  const view = openJson<StoredView>(sealer, file.view, rowOf(reservationId));
  const state = file.erasedAt === null ? 'closed' : 'erased';
  const photoHashes = view === undefined ? [] : [...photoHashesOf(view), ...(view.photosLeft ?? [])];
  return { reservationId, state, photoHashes, isReadable: view !== undefined, ...belongings };
}

export function photoHashesOf({ dispatch, recall }: Pick<ReservationView, 'dispatch' | 'recall'>): string[] {
  const photos = [dispatch.parkingImage, dispatch.carImage, recall.carImage];
  return photos.flatMap((photo) => (photo === null ? [] : [photo.hash]));
}

async function belongingsOf(db: HandoverDb, reservationId: number): Promise<Belongings> {
  const booked = await db
    .select({ id: bookings.commandId })
    .from(bookings)
    .where(eq(bookings.reservationId, reservationId));
  const held = await db
    .select({ id: holds.holdId, endedAt: holds.endedAt })
    .from(holds)
    .where(eq(holds.reservationId, reservationId));
  const idsOf = (isOpen: boolean) =>
    held.flatMap(({ id, endedAt }) => ((endedAt === null) === isOpen ? id : []));
  return { bookings: booked.map(({ id }) => id), holds: idsOf(false), openHolds: idsOf(true) };
}

/** `ended`: its workflow was ended before it closed, or Temporal has lost it. */
async function stateWithoutFile(db: HandoverDb, reservationId: number): Promise<Subject['state']> {
  const has = async (
    table: typeof openReservations | typeof endedReservations | typeof unlistedReservations | typeof timeline,
  ) => {
    const found = await db
      .select({ id: table.reservationId })
      .from(table)
      .where(eq(table.reservationId, reservationId))
      .limit(1);
    return found.length > 0;
  };
  if (await has(endedReservations)) return 'ended';
  if (await has(openReservations)) return 'open';
  return (await has(unlistedReservations)) || (await has(timeline)) ? 'ended' : 'unknown';
}

/** Where a booking became no reservation, or one that cannot take it along: it has been erased, or nothing here is known of it. */
export const belongsToNoReservation = sql<boolean>`(
  bookings.reservation_id is null
  or exists (select from ${caseFiles} c where c.reservation_id = bookings.reservation_id and c.erased_at is not null)
  or not (
    exists (select from ${caseFiles} c where c.reservation_id = bookings.reservation_id)
    or exists (select from ${endedReservations} e where e.reservation_id = bookings.reservation_id)
    or exists (select from ${unlistedReservations} u where u.reservation_id = bookings.reservation_id)
    or exists (select from ${openReservations} o where o.reservation_id = bookings.reservation_id)))`;

/** What a person is in: reservations by their ids, and bookings that became none by their command ids. */
export interface Found {
  reservations: number[];
  bookings: string[];
}

/** @param text a whole name, a telephone number or a licence number of a driver or companion */
export async function findPerson(db: HandoverDb, hashes: PersonHashes, text: string): Promise<Found> {
  const wanted = [...hashes.name(text), ...hashes.phone(text), ...hashes.licence(text)];
  if (wanted.length === 0) return { reservations: [], bookings: [] };
  const closed = await db
    .select({ id: caseFiles.reservationId })
    .from(caseFiles)
    .where(arrayOverlaps(caseFiles.persons, wanted));
  const open = await db
    .select({ id: openReservations.reservationId })
    .from(openReservations)
    .where(
      or(
        arrayOverlaps(openReservations.persons, wanted),
        and(isNull(openReservations.persons), arrayOverlaps(openReservations.names, wanted)),
      ),
    );
  const unlisted = await db
    .select({ id: unlistedReservations.reservationId })
    .from(unlistedReservations)
    .where(arrayOverlaps(unlistedReservations.persons, wanted));
  const booked = await db
    .select({
      id: bookings.commandId,
      reservationId: bookings.reservationId,
      isBySelf: belongsToNoReservation,
    })
    .from(bookings)
    .where(arrayOverlaps(bookings.persons, wanted));
  const ids = [...closed, ...open, ...unlisted].map(({ id }) => id);
  const ofBookings = booked.flatMap(({ isBySelf, reservationId }) => (isBySelf ? [] : (reservationId ?? [])));
  return {
    reservations: [...new Set([...ids, ...ofBookings])].sort((a, b) => a - b),
    bookings: booked.filter(({ isBySelf }) => isBySelf).map(({ id }) => id),
  };
}

/** A booking or hold that is erased by itself. */
export interface BySelf {
  id: string;
  /** Its end is not recorded. */
  isOpen: boolean;
}

/** Those of them that are not erased yet, and belong to no reservation, with which they would go. */
export async function readBookings(db: HandoverDb, commandIds: readonly string[]): Promise<BySelf[]> {
  if (commandIds.length === 0) return [];
  const rows = await db
    .select({ id: bookings.commandId, state: bookings.state })
    .from(bookings)
    .where(
      and(inArray(bookings.commandId, [...commandIds]), isNull(bookings.erasedAt), belongsToNoReservation),
    );
  return rows.map(({ id, state }) => ({ id, isOpen: openStates.includes(state) }));
}

/** Those that are not erased yet. */
export async function readHolds(db: HandoverDb, holdIds: readonly string[]): Promise<BySelf[]> {
  if (holdIds.length === 0) return [];
  const rows = await db
    .select({ id: holds.holdId, endedAt: holds.endedAt })
    .from(holds)
    .where(and(inArray(holds.holdId, [...holdIds]), isNull(holds.erasedAt)));
  return rows.map(({ id, endedAt }) => ({ id, isOpen: endedAt === null }));
}

/** The ids of the workflows of those that have been erased. */
export async function erasedScopes(
  db: Pick<HandoverDb, 'select'>,
  {
    reservations,
    bookings: commandIds = [],
    holds: holdIds = [],
  }: { reservations: readonly number[]; bookings?: readonly string[]; holds?: readonly string[] },
): Promise<Set<string>> {
  const files = await db
    .select({ id: caseFiles.reservationId })
    .from(caseFiles)
    .where(and(inArray(caseFiles.reservationId, [...reservations]), isNotNull(caseFiles.erasedAt)));
  const booked = await db
    .select({ id: bookings.commandId })
    .from(bookings)
    .where(and(inArray(bookings.commandId, [...commandIds]), isNotNull(bookings.erasedAt)));
  const held = await db
    .select({ id: holds.holdId })
    .from(holds)
    .where(and(inArray(holds.holdId, [...holdIds]), isNotNull(holds.erasedAt)));
  return new Set([
    ...files.map(({ id }) => reservationWorkflowId(id)),
    ...booked.map(({ id }) => bookingWorkflowId(id)),
    ...held.map(({ id }) => holdWorkflowId(id)),
  ]);
}
