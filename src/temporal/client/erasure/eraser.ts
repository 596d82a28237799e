import type { Client } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { dataKeyScope, photoKeyScope } from '../../../contract/names.js';
import { newReservation, type Policy, view } from '../../../domain/reservation/index.js';
import type { StoredDataKeys } from '../../../store/data-keys.js';
import { type Certificate, writeCertificate } from '../../../store/erasure/certificates.js';
import { type Erased, erasePhotoRows, eraseRows, scopesOf } from '../../../store/erasure/erase-rows.js';
import {
  erasedOf,
  findPerson,
  hashCaseFiles,
  readSubject,
  type Subject,
} from '../../../store/erasure/subjects.js';
import type { HandoverDb } from '../../../store/handover.js';
import type { BlobStore } from '../../../store/photos/store.js';
import type { ErasureCause, ErasureCounts } from '../../../store/schema.js';
import type { PersonHashes } from '../../../store/sealing/person-hashes.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import { deleteRuns, type ReadHistories, readHistories } from './histories.js';

export interface EraserDeps {
  db: HandoverDb;
  sealer: Sealer;
  client: Client;
  /** Of this process; absent: it has none in memory. */
  dataKeys?: Pick<StoredDataKeys, 'forget'> | undefined;
  photos: Pick<BlobStore, 'deletePhotos'>;
  persons: PersonHashes;
  policy: Policy;
  now?: () => number;
}

/** Why a reservation was not erased. */
interface NotErased {
  reservationId: number;
  code: 'RESERVATION_OPEN' | 'RESERVATION_NOT_FOUND' | 'RESERVATION_ERASED';
}

export interface Erasure {
  /** Null: nothing was erased. */
  certificate: Certificate | null;
  refused: NotErased[];
}

/** What is to be erased together, under one certificate. */
interface ErasureOrder {
  reservations: readonly number[];
  /** Command ids of bookings that became no reservation, and of holds that are over. */
  bookings?: readonly string[];
  holds?: readonly string[];
  by: string;
  cause: ErasureCause;
}

export interface Eraser {
  /**
   * Erases closed reservations with what belongs to them: their data keys, photos, bodies and texts. Histories that Temporal
   * still has become tombstones and replay; runs that an earlier release wrote, under the key ring itself, are deleted.
   * @throws what Temporal, the photo store or the database throws: then nothing is erased, except photos
   */
  erase(order: ErasureOrder): Promise<Erasure>;
  /** Deletes the photos of closed reservations, and destroys their keys. @throws as `erase` */
  erasePhotos(reservations: readonly number[], by: string): Promise<Certificate | null>;
  /** The same of all that a person drove. @param text a whole name, a telephone number or a licence number */
  eraseDriver(text: string, by: string): Promise<Erasure>;
}

export function createEraser(deps: EraserDeps): Eraser {
  const { db, sealer, persons } = deps;
  const erase = (order: ErasureOrder) => eraseAll(deps, order);
  return {
    erase,
    erasePhotos: (reservations, by) => erasePhotos(deps, reservations, by),
    async eraseDriver(text, by) {
      while ((await hashCaseFiles(db, sealer, persons)) > 0);
      return erase({ ...(await findPerson(db, persons, text)), by, cause: 'driver' });
    },
  };
}

type Target = Omit<Erased, 'remains' | 'by' | 'at'> & { photoHashes: string[]; isEnded: boolean };

async function eraseAll(deps: EraserDeps, order: ErasureOrder): Promise<Erasure> {
  const { db, sealer, dataKeys, photos, policy, now = Date.now } = deps;
  const { targets, refused, histories } = await readTargets(deps, order);
  if (targets.length === 0) return { certificate: null, refused };
  const at = now();
  let photoCount = 0;
  for (const { reservationId, photoHashes } of targets) {
    if (reservationId !== null) photoCount += await photos.deletePhotos(reservationId, photoHashes);
  }
  for (const [scope, { unprotectedRuns }] of histories) await deleteRuns(deps.client, scope, unprotectedRuns);
  const { by, cause } = order;
  const certificate = await db.transaction(async (tx) => {
    // of two erasures at once the second waits, and finds erased rows
    await tx.execute(sql`select pg_advisory_xact_lock(${erasureLock})`);
    const counts: ErasureCounts = { ...nothing, photos: photoCount };
    const done = await erasedOf(tx, order.reservations);
    const left = targets.filter(({ reservationId }) => reservationId === null || !done.has(reservationId));
    if (left.length === 0) return null;
    for (const target of left) {
      const remains = new Map(
        scopesOf(target).flatMap((scope) => {
          const read = histories.get(scope);
          return read === undefined ? [] : [[scope, read.remains] as const];
        }),
      );
      const { reservationId, isEnded } = target;
      const ended = isEnded && reservationId !== null;
      const lastView = ended ? { lastView: view(newReservation(reservationId, policy, at), at) } : {};
      const erased = await eraseRows(tx, sealer, { ...target, remains, by, at, ...lastView });
      for (const name of Object.keys(erased) as (keyof typeof erased)[]) counts[name] += erased[name];
    }
    const reservations = left.flatMap(({ reservationId }) => reservationId ?? []);
    return writeCertificate(tx, { at, by, cause, reservations, counts });
  });
  for (const scope of targets.flatMap(scopesOf)) dataKeys?.forget(scope);
  return { certificate, refused };
}

async function erasePhotos(
  { db, sealer, photos, dataKeys, now = Date.now }: EraserDeps,
  reservations: readonly number[],
  by: string,
): Promise<Certificate | null> {
  const withPhotos: number[] = [];
  const counts = { ...nothing };
  for (const id of reservations) {
    const { photoHashes } = await readSubject(db, sealer, id);
    const deleted = await photos.deletePhotos(id, photoHashes);
    counts.photos += deleted;
    if (deleted > 0) withPhotos.push(id);
  }
  const at = now();
  const certificate = await db.transaction(async (tx) => {
    counts.keys = await erasePhotoRows(tx, sealer, { reservations, at });
    if (withPhotos.length === 0) return null;
    return writeCertificate(tx, { at, by, cause: 'retention', reservations: withPhotos, counts });
  });
  for (const id of reservations) dataKeys?.forget(photoKeyScope(id));
  return certificate;
}

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
};

/** Reads everything before anything is changed: what cannot be read yet is not erased by halves. */
async function readTargets(
  { db, sealer, client }: EraserDeps,
  { reservations, bookings = [], holds = [] }: ErasureOrder,
): Promise<{ targets: Target[]; refused: NotErased[]; histories: Map<string, ReadHistories> }> {
  const targets: Target[] = [];
  const refused: NotErased[] = [];
  const histories = new Map<string, ReadHistories>();
  const isOpen = async (target: Target) => {
    for (const scope of scopesOf(target)) {
      if (dataKeyScope(scope) === undefined) continue; // of photos
      const read = await readHistories(client, scope);
      if (read === 'open') return true;
      histories.set(scope, read);
    }
    return false;
  };
  for (const reservationId of reservations) {
    const subject = await readSubject(db, sealer, reservationId);
    const target = { ...subject, isEnded: subject.state === 'ended' };
    const code = obstacleOf(subject) ?? ((await isOpen(target)) ? 'RESERVATION_OPEN' : null);
    if (code === null) targets.push(target);
    else refused.push({ reservationId, code });
  }
  const rest: Target = {
    reservationId: null,
    bookings: [...bookings],
    holds: [...holds],
    photoHashes: [],
    isEnded: false,
  };
  if (bookings.length + holds.length > 0 && !(await isOpen(rest))) targets.push(rest);
  return { targets, refused, histories };
}

function obstacleOf({ state }: Subject): NotErased['code'] | null {
  switch (state) {
    case 'open':
      return 'RESERVATION_OPEN';
    case 'erased':
      return 'RESERVATION_ERASED';
    case 'unknown':
      return 'RESERVATION_NOT_FOUND';
    default:
      return null;
  }
}
