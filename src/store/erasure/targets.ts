import type { HandoverDb } from '../handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { hasTexts } from './delete-texts.js';
import { type BySelf, readBookings, readHolds, readSubject, type Subject } from './subjects.js';
import type { Erased } from './types.js';

/** What is to be erased. */
export interface Subjects {
  reservations: readonly number[];
  /** Command ids of bookings that became no reservation, and ids of holds that are over. */
  bookings?: readonly string[];
  holds?: readonly string[];
}

/** What to do about what was not erased. */
const obstacles = {
  RESERVATION_OPEN: 'close or cancel it first',
  RESERVATION_NOT_FOUND: 'nothing here is known of it',
  RESERVATION_ERASED: 'it was erased before, and nothing has come since that can be erased by now',
  BOOKING_NOT_FOUND:
    'no booking by itself has this command id: it is unknown, was erased before, or goes with its reservation',
  BOOKING_OPEN: 'its outcome is not recorded: resolve it first (POST /api/bookings/{commandId}/resolve)',
  HOLD_OPEN: 'release or resolve it first (/api/holds/{holdId})',
};
type Obstacle = keyof typeof obstacles;
export const obstacleCodes = Object.keys(obstacles) as [Obstacle, ...Obstacle[]];

/** Why one of them was not erased, and what to do about it. One of the ids. */
export interface NotErased {
  reservationId?: number;
  commandId?: string;
  holdId?: string;
  code: Obstacle;
  detail: string;
}

/** A reservation with what belongs to it, or one booking or hold that is erased by itself. */
export interface Target extends Omit<Erased, 'remains' | 'by' | 'at'> {
  photoHashes: string[];
}

type Checked = { target: Target } | { refused: NotErased };

/** What can be erased as far as the database knows. @throws what the database throws */
export async function checkSubjects(
  db: HandoverDb,
  sealer: Sealer,
  { reservations, bookings = [], holds = [] }: Subjects,
): Promise<{ targets: Target[]; refused: NotErased[] }> {
  const checked: Checked[] = [];
  const alone: string[] = [];
  for (const id of reservations) {
    const { openHolds, ...subject } = await readSubject(db, sealer, id);
    const isAgain = subject.state === 'erased' && (await hasTexts(db, id));
    checked.push(isAgain ? { target: textsOf(id) } : checkReservation(subject));
    // an open one is refused by itself; what was open at an erasure is erased by the next
    if (subject.state !== 'open') alone.push(...openHolds);
    if (subject.state === 'erased') alone.push(...subject.holds);
  }
  const found = await readBookings(db, bookings);
  for (const one of found) checked.push(checkBySelf(one, { bookings: [one.id], holds: [] }));
  const known = new Set(found.map(({ id }) => id));
  for (const commandId of new Set(bookings))
    if (!known.has(commandId)) checked.push({ refused: refuse({ commandId }, 'BOOKING_NOT_FOUND') });
  for (const one of await readHolds(db, [...alone, ...holds]))
    checked.push(checkBySelf(one, { bookings: [], holds: [one.id] }));
  return {
    targets: checked.flatMap((one) => ('target' in one ? one.target : [])),
    refused: checked.flatMap((one) => ('refused' in one ? one.refused : [])),
  };
}

function checkReservation({ state, isReadable: _, ...subject }: Omit<Subject, 'openHolds'>): Checked {
  if (state === 'open') return { refused: refuseOpen(subject) };
  const { reservationId } = subject;
  if (state === 'erased') return { refused: refuse({ reservationId }, 'RESERVATION_ERASED') };
  if (state === 'unknown') return { refused: refuse({ reservationId }, 'RESERVATION_NOT_FOUND') };
  return { target: subject };
}

/** What has come since it was erased: callbacks that were on their way, and those after it. */
const textsOf = (reservationId: number): Target => ({
  reservationId,
  isErased: true,
  bookings: [],
  holds: [],
  photoHashes: [],
});

function checkBySelf({ isOpen }: BySelf, own: Pick<Target, 'bookings' | 'holds'>): Checked {
  const target = { reservationId: null, ...own, photoHashes: [] };
  return isOpen ? { refused: refuseOpen(target) } : { target };
}

export function refuseOpen({ reservationId, bookings: [commandId], holds: [holdId] }: Target): NotErased {
  if (reservationId !== null) return refuse({ reservationId }, 'RESERVATION_OPEN');
  if (commandId !== undefined) return refuse({ commandId }, 'BOOKING_OPEN');
  return refuse(holdId === undefined ? {} : { holdId }, 'HOLD_OPEN');
}

function refuse(ids: Pick<NotErased, 'reservationId' | 'commandId' | 'holdId'>, code: Obstacle): NotErased {
  return { ...ids, code, detail: obstacles[code] };
}
