import type { StoredDataKeys } from '../../store/data-keys.js';
import { dueBefore, photosDueBefore, type StoredFor } from '../../store/erasure/due.js';
import { hashPersons } from '../../store/erasure/hash-persons.js';
import { deleteTextsBefore } from '../../store/erasure/old-texts.js';
import type { NotErased } from '../../store/erasure/targets.js';
import type { HandoverDb } from '../../store/handover.js';
import type { PersonHashes } from '../../store/sealing/person-hashes.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Eraser } from '../../temporal/client/erasure/eraser.js';

export interface ErasureRetention extends StoredFor {
  db: HandoverDb;
  sealer: Sealer;
  persons: PersonHashes;
  eraser: Eraser;
  dataKeys?: Pick<StoredDataKeys, 'wrapAgain'> | undefined;
}

type Wrapped = Awaited<ReturnType<StoredDataKeys['wrapAgain']>>;

interface ErasedInTime {
  reservations: number;
  photos: number;
  texts: number;
  /** Reservations with photos that stay, because another one that may have them does not answer. */
  photosLeft: number;
  /** Open, although their time has come. */
  refused: NotErased[];
  /** Data keys, case files and holds that no key of the ring opens. */
  unreadable: number;
}

const by = 'retention';
const atOnce = 20;
const keysAtOnce = 500;

/**
 * Erases what has been stored for long enough, a few at a time.
 * @param now an instant
 * @returns how many of each
 */
export async function eraseDue(
  { db, sealer, persons, eraser, dataKeys, reservationsMs, photosMs }: ErasureRetention,
  now: number,
  isStopping: () => boolean,
): Promise<ErasedInTime> {
  const refusals: NotErased[] = [];
  const done = { reservations: 0, photos: 0, photosLeft: 0, texts: 0, refused: refusals, unreadable: 0 };
  const before = now - reservationsMs;
  await hashPersons({ db, sealer, persons }, isStopping);
  for (let after: string | null = ''; after !== null && dataKeys !== undefined && !isStopping(); ) {
    const { last, unreadable }: Wrapped = await dataKeys.wrapAgain(keysAtOnce, after);
    done.unreadable += unreadable;
    after = last;
  }
  const except = { reservations: [] as number[], bookings: [] as string[], holds: [] as string[] };
  while (!isStopping()) {
    const due = await dueBefore(db, { before, limit: atOnce, except });
    if (due.reservations.length + due.bookings.length + due.holds.length === 0) break;
    const { certificate, refused } = await eraser.erase({ ...due, by, cause: 'retention', isStopping });
    for (const { reservationId, commandId, holdId } of refused) {
      if (reservationId !== undefined) except.reservations.push(reservationId);
      if (commandId !== undefined) except.bookings.push(commandId);
      if (holdId !== undefined) except.holds.push(holdId);
    }
    if (certificate === null && refused.length === 0) break;
    refusals.push(...refused);
    done.reservations += certificate?.reservations.length ?? 0;
    done.unreadable += certificate?.counts.unreadable ?? 0;
  }
  const left: number[] = [];
  while (!isStopping()) {
    const due = await photosDueBefore(db, { before: now - photosMs, limit: atOnce, except: left });
    if (due.length === 0) break;
    const erased = await eraser.erasePhotos(due, by, isStopping);
    left.push(...erased.left);
    done.photos += erased.certificate?.counts.photos ?? 0;
  }
  done.photosLeft = left.length;
  if (!isStopping()) done.texts = await deleteTextsBefore(db, before);
  return done;
}
