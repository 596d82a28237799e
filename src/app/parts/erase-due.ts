import type { StoredDataKeys } from '../../store/data-keys.js';
import { dueBefore, type PhotosDue, photosDueBefore, type StoredFor } from '../../store/erasure/due.js';
import { hashPersons } from '../../store/erasure/hash-persons.js';
import { deleteTextsBefore } from '../../store/erasure/old-texts.js';
import type { NotErased } from '../../store/erasure/targets.js';
import type { HandoverDb } from '../../store/handover.js';
import type { PersonHashes } from '../../store/sealing/person-hashes.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Eraser } from '../../temporal/client/erasure/eraser.js';
import type { LeftPhotos } from '../../temporal/client/erasure/types.js';
import { type FailedErasure, type Named, OneByOne } from './erase-one-by-one.js';

export interface ErasureRetention extends StoredFor {
  db: HandoverDb;
  sealer: Sealer;
  persons: PersonHashes;
  eraser: Eraser;
  dataKeys?: Pick<StoredDataKeys, 'wrapAgain'> | undefined;
}

type Wrapped = Awaited<ReturnType<StoredDataKeys['wrapAgain']>>;

export interface ErasedInTime {
  reservations: number;
  photos: number;
  texts: number;
  photosLeft: LeftPhotos[];
  /** Open, although their time has come. */
  refused: NotErased[];
  /** Their erasure threw: they are due again. */
  failed: FailedErasure[];
  /** Case files and holds that were erased although no key of the ring opens them. */
  unreadable: number;
  /** Data keys that no key of the ring unwraps. They stay as they are. */
  lockedKeys: number;
  /** So many failed in a row that what they need must be away: the rest is due again. */
  isGivenUp: boolean;
}

const by = 'retention';
const atOnce = 20;
const keysAtOnce = 500;

/**
 * Erases what has been stored for long enough, a few at a time.
 * @param now an instant
 * @returns how many of each, and what was not erased
 * @throws what the database throws
 */
export async function eraseDue(
  retention: ErasureRetention,
  now: number,
  isStopping: () => boolean,
): Promise<ErasedInTime> {
  const { db, reservationsMs, photosMs } = retention;
  const before = now - reservationsMs;
  await hashPersons(retention, isStopping);
  const lockedKeys = await wrapAgain(retention, isStopping);
  const data = await eraseData(retention, before, isStopping);
  const texts = isStopping() ? 0 : await deleteTextsBefore(db, before);
  const photos = await erasePhotos(retention, now - photosMs, isStopping);
  const failed = [...data.failed, ...photos.failed];
  const isGivenUp = data.isGivenUp || photos.isGivenUp;
  return { ...data, ...photos, failed, isGivenUp, texts, lockedKeys };
}

async function wrapAgain({ dataKeys }: ErasureRetention, isStopping: () => boolean): Promise<number> {
  let locked = 0;
  for (let after: string | null = ''; after !== null && dataKeys !== undefined && !isStopping(); ) {
    const { last, unreadable }: Wrapped = await dataKeys.wrapAgain(keysAtOnce, after);
    locked += unreadable;
    after = last;
  }
  return locked;
}

async function eraseData(
  { db, eraser }: ErasureRetention,
  before: number,
  isStopping: () => boolean,
): Promise<Pick<ErasedInTime, 'reservations' | 'refused' | 'failed' | 'unreadable' | 'isGivenUp'>> {
  const refused: NotErased[] = [];
  const done = { reservations: 0, unreadable: 0 };
  const step = new OneByOne(
    (batch) => eraser.erase({ ...idsOf(batch), by, cause: 'retention', isStopping }),
    isStopping,
  );
  while (!isStopping() && !step.isGivenUp) {
    const left = refused.length + step.failed.length;
    const due = await dueBefore(db, { before, limit: atOnce, except: idsOf([...refused, ...step.failed]) });
    const erasures = await step.run([
      ...due.reservations.map((reservationId) => ({ reservationId })),
      ...due.bookings.map((commandId) => ({ commandId })),
      ...due.holds.map((holdId) => ({ holdId })),
    ]);
    refused.push(...erasures.flatMap((one) => one.refused));
    const certificates = erasures.flatMap(({ certificate }) => certificate ?? []);
    if (certificates.length === 0 && refused.length + step.failed.length === left) break;
    for (const { reservations, counts } of certificates) {
      done.reservations += reservations.length;
      done.unreadable += counts.unreadable;
    }
  }
  return { ...done, refused, failed: step.failed, isGivenUp: step.isGivenUp };
}

async function erasePhotos(
  { db, eraser }: ErasureRetention,
  before: number,
  isStopping: () => boolean,
): Promise<Pick<ErasedInTime, 'photos' | 'photosLeft' | 'failed' | 'isGivenUp'>> {
  const photosLeft: LeftPhotos[] = [];
  let photos = 0;
  // not by a list of what is left: it may be long
  let after: PhotosDue | undefined;
  const step = new OneByOne(
    (batch) => eraser.erasePhotos(idsOf(batch).reservations, by, isStopping),
    isStopping,
  );
  while (!isStopping() && !step.isGivenUp) {
    const due = await photosDueBefore(db, { before, limit: atOnce, after });
    if (due.length === 0) break;
    after = due.at(-1);
    const erased = await step.run(due.map(({ reservationId }) => ({ reservationId })));
    for (const { certificate, left } of erased) {
      photosLeft.push(...left);
      photos += certificate?.counts.photos ?? 0;
    }
  }
  return { photos, photosLeft, failed: step.failed, isGivenUp: step.isGivenUp };
}

function idsOf(named: readonly Named[]) {
  return {
    reservations: named.flatMap(({ reservationId }) => reservationId ?? []),
    bookings: named.flatMap(({ commandId }) => commandId ?? []),
    holds: named.flatMap(({ holdId }) => holdId ?? []),
  };
}
