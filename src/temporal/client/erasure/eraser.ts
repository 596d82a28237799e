import type { Client } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { photoKeyScope } from '../../../contract/names.js';
import { newReservation, type Policy, view } from '../../../domain/reservation/index.js';
import type { StoredDataKeys } from '../../../store/data-keys.js';
import { type Certificate, writeCertificate } from '../../../store/erasure/certificates.js';
import { erasePhotoRows, eraseRows, scopesOf } from '../../../store/erasure/erase-rows.js';
import type { FindDeps } from '../../../store/erasure/hash-persons.js';
import { findDriver, type Preview, previewErasure } from '../../../store/erasure/preview.js';
import { erasedScopes, readSubject } from '../../../store/erasure/subjects.js';
import { checkSubjects, type NotErased, type Subjects } from '../../../store/erasure/targets.js';
import type { ErasureCause, ErasureCounts } from '../../../store/schema.js';
import { deleteRuns } from './histories.js';
import { type ReadTarget, readTargets } from './targets.js';

export interface EraserDeps extends FindDeps {
  client: Client;
  /** Of this process; absent: it has none in memory. */
  dataKeys?: Pick<StoredDataKeys, 'forget'> | undefined;
  photos: {
    /** @param isStopping once it returns true, photos that several reservations may have stay */
    deletePhotos(
      reservationId: number,
      hashes: readonly string[],
      isStopping: () => boolean,
    ): Promise<DeletedPhotos>;
  };
  policy: Policy;
  now?: () => number;
}

interface DeletedPhotos {
  deleted: number;
  /** Hashes of photos that stay, because a reservation that may have them too does not answer, and why the first stays. */
  left: string[];
  reason?: unknown;
}

export interface Erasure {
  /** Null: nothing was erased. */
  certificate: Certificate | null;
  refused: NotErased[];
}

interface ErasedPhotos {
  certificate: Certificate | null;
  left: number[];
}

/** What is to be erased together, under one certificate. */
interface ErasureOrder extends Subjects {
  by: string;
  /** Of the retention: photos that another reservation may have stay, and the retention of photos deletes them later. */
  cause: ErasureCause;
  /** Once it returns true no further reservation is begun: the rest is due the next time. */
  isStopping?: () => boolean;
}

export interface Eraser {
  /**
   * Erases closed reservations with what belongs to them: their data keys, photos, bodies and texts. Histories that Temporal
   * still has become tombstones and replay; runs that an earlier release wrote, under the key ring itself, are deleted.
   * @throws what Temporal, the photo store or the database throws: then nothing is erased, except photos
   */
  erase(order: ErasureOrder): Promise<Erasure>;
  /**
   * Deletes the photos of closed reservations, and destroys their keys. @returns also `left`: reservations with photos that stay,
   * and are due again @throws as `erase`
   */
  erasePhotos(reservations: readonly number[], by: string, isStopping?: () => boolean): Promise<ErasedPhotos>;
  /** The same of all that a person drove. @param text a whole name, a telephone number or a licence number */
  eraseDriver(text: string, by: string): Promise<Erasure>;
  /** Changes nothing. */
  preview(wanted: Parameters<typeof previewErasure>[1]): Promise<Preview>;
}

export function createEraser(deps: EraserDeps): Eraser {
  const erase = (order: ErasureOrder) => eraseAll(deps, order);
  return {
    erase,
    erasePhotos: (reservations, by, isStopping = never) =>
      erasePhotos(deps, { reservations, by, isStopping }),
    eraseDriver: async (text, by) => erase({ ...(await findDriver(deps, text)), by, cause: 'driver' }),
    preview: (wanted) => previewErasure(deps, wanted),
  };
}

async function eraseAll(deps: EraserDeps, order: ErasureOrder): Promise<Erasure> {
  const { db, sealer, dataKeys, photos, policy, now = Date.now } = deps;
  const { by, cause, isStopping = never } = order;
  const checked = await checkSubjects(db, sealer, order);
  const read = await readTargets(deps.client, checked.targets, isStopping);
  const refused = [...checked.refused, ...read.refused];
  const at = now();
  const targets: ReadTarget[] = [];
  let photoCount = 0;
  for (const target of read.targets) {
    if (isStopping()) break;
    const { reservationId, photoHashes } = target;
    if (reservationId === null) {
      targets.push(target);
      continue;
    }
    const { deleted, left, reason } = await photos.deletePhotos(reservationId, photoHashes, isStopping);
    if (left.length > 0 && isStopping()) break;
    if (left.length > 0 && cause !== 'retention') throw reason;
    photoCount += deleted;
    targets.push({ ...target, photosLeft: left });
  }
  if (targets.length === 0) return { certificate: null, refused };
  for (const { histories } of targets)
    for (const [scope, { unprotectedRuns }] of histories)
      await deleteRuns(deps.client, scope, unprotectedRuns);
  const certificate = await db.transaction(async (tx) => {
    // of two erasures at once the second waits, and finds erased rows
    await tx.execute(sql`select pg_advisory_xact_lock(${erasureLock})`);
    const counts: ErasureCounts = { ...nothing, photos: photoCount };
    const done = await erasedScopes(tx, idsOf(targets));
    const left = targets.filter((target) => !done.has(scopesOf(target)[0] ?? ''));
    if (left.length === 0) return null;
    for (const target of left) {
      const remains = new Map([...target.histories].map(([scope, read]) => [scope, read.remains]));
      const { reservationId: id } = target;
      const lastView = id === null ? undefined : view(newReservation(id, policy, at), at);
      const erased = await eraseRows(tx, sealer, { ...target, remains, by, at, lastView });
      for (const name of Object.keys(erased) as (keyof typeof erased)[]) counts[name] += erased[name];
    }
    const { reservations } = idsOf(left);
    return writeCertificate(tx, { at, by, cause, reservations, counts });
  });
  for (const scope of targets.flatMap(scopesOf)) dataKeys?.forget(scope);
  return { certificate, refused };
}

async function erasePhotos(
  { db, sealer, photos, dataKeys, now = Date.now }: EraserDeps,
  {
    reservations: due,
    by,
    isStopping,
  }: { reservations: readonly number[]; by: string; isStopping: () => boolean },
): Promise<ErasedPhotos> {
  const undecided: number[] = [];
  const reservations: number[] = [];
  const withPhotos: number[] = [];
  const counts = { ...nothing };
  for (const id of due) {
    if (isStopping()) break;
    const { photoHashes } = await readSubject(db, sealer, id);
    const { deleted, left } = await photos.deletePhotos(id, photoHashes, isStopping);
    counts.photos += deleted;
    (left.length > 0 ? undecided : reservations).push(id);
    if (deleted > 0) withPhotos.push(id);
  }
  const at = now();
  const certificate = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${erasureLock})`);
    counts.keys = await erasePhotoRows(tx, sealer, { reservations, at });
    if (withPhotos.length === 0) return null;
    return writeCertificate(tx, { at, by, cause: 'retention', reservations: withPhotos, counts });
  });
  for (const id of reservations) dataKeys?.forget(photoKeyScope(id));
  return { certificate, left: undecided };
}

function idsOf(targets: readonly ReadTarget[]) {
  return {
    reservations: targets.flatMap(({ reservationId }) => reservationId ?? []),
    bookings: targets.flatMap(({ bookings }) => bookings),
    holds: targets.flatMap(({ holds }) => holds),
  };
}

const never = () => false;

/** Any number that no other lock of Handover has. */
const erasureLock = 7_416_001;

const nothing: ErasureCounts = {
  reservations: 0,
  bookings: 0,
  holds: 0,
  keys: 0,
  photos: 0,
  bodies: 0,
  posts: 0,
  reasons: 0,
  payloads: 0,
  unreadable: 0,
};
