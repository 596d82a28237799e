import { newReservation, view } from '../../../domain/reservation/index.js';
import { clockOf } from '../../../store/connection/clock.js';
import { noCounts, writeCertificate } from '../../../store/erasure/certificates.js';
import { eraseRows, inErasure, scopesOf } from '../../../store/erasure/erase-rows.js';
import { withoutErased, writtenSince } from '../../../store/erasure/left-targets.js';
import { checkSubjects, type NotErased, refuseOpen } from '../../../store/erasure/targets.js';
import { countPhotos } from './erase-photos.js';
import { deleteRuns } from './histories.js';
import { isOpenAgain, type ReadTarget, readTargets, startedSince } from './targets.js';
import type { EraserDeps, Erasure, ErasureOrder } from './types.js';

type Counted = ReadTarget & { photoCount: number };

/** `Eraser.erase`. */
export async function eraseAll(deps: EraserDeps, order: ErasureOrder): Promise<Erasure> {
  const begun = new Set<number>();
  try {
    return await eraseBegun(deps, order, begun);
  } finally {
    for (const id of begun) deps.photos.useAgain(id);
  }
}

/** @param begun gets the reservations whose photos are being deleted, until they are erased */
async function eraseBegun(deps: EraserDeps, order: ErasureOrder, begun: Set<number>): Promise<Erasure> {
  const { db, sealer, client, dataKeys, policy, now = Date.now } = deps;
  const { by, cause, isStopping = never } = order;
  const checkedAt = await clockOf(db);
  const checked = await checkSubjects(db, sealer, order);
  const read = await readTargets(client, checked.targets, isStopping);
  const refused = [...checked.refused, ...read.refused];
  const targets: Counted[] = [];
  // a manager may start an ended reservation again while others are read: each is checked again, before its photos, before its
  // histories and, where the start has written no row yet, before its key
  const ready = await deletePhotos(deps, { ...order, targets: read.targets, isStopping }, { begun, refused });
  for (const target of ready) {
    if (await isOpenAgain(client, target)) {
      refused.push(refuseOpen(target));
      continue;
    }
    for (const [scope, { unprotectedRuns }] of target.histories)
      await deleteRuns(client, scope, unprotectedRuns);
    targets.push(target);
  }
  if (targets.length === 0) return { certificate: null, refused };
  const at = now();
  const { certificate, erased } = await inErasure(db, async (tx) => {
    const written = await writtenSince(tx, targets, checkedAt);
    const started = await startedSince(
      client,
      targets.filter((target) => !written.has(target)),
    );
    const isClosed = (target: Counted) => !written.has(target) && !started.has(target);
    refused.push(...targets.filter((target) => !isClosed(target)).map(refuseOpen));
    const closed = targets.filter(isClosed);
    const counts = { ...noCounts };
    // of two erasures at once the second finds erased rows
    const left = await withoutErased(tx, closed);
    for (const target of left) {
      const { reservationId: id, photoCount } = target;
      const remains = new Map([...target.histories].map(([scope, { remains }]) => [scope, remains]));
      const lastView = id === null ? undefined : view(newReservation(id, policy, at), at);
      const done = await eraseRows(tx, sealer, { ...target, remains, by, at, lastView });
      for (const name of Object.keys(done) as (keyof typeof done)[]) counts[name] += done[name];
      counts.photos += photoCount;
    }
    const named = namedBy(left);
    return {
      erased: closed,
      certificate: left.length === 0 ? null : await writeCertificate(tx, { at, by, cause, ...named, counts }),
    };
  });
  for (const target of erased) {
    if (target.reservationId !== null) begun.delete(target.reservationId);
    for (const scope of scopesOf(target)) dataKeys?.forget(scope);
  }
  return { certificate, refused };
}

/** @returns those that can be erased now; one that has been opened again is refused, and keeps its photos */
async function deletePhotos(
  { client, photos }: Pick<EraserDeps, 'client' | 'photos'>,
  { targets, cause, isStopping }: { targets: ReadTarget[]; cause: string; isStopping: () => boolean },
  { begun, refused }: { begun: Set<number>; refused: NotErased[] },
): Promise<Counted[]> {
  const ready: Counted[] = [];
  for (const target of targets) {
    if (isStopping()) break;
    const { reservationId, photoHashes, isErased = false } = target;
    if (reservationId === null || isErased) {
      ready.push({ ...target, photoCount: 0 });
      continue;
    }
    if (await isOpenAgain(client, target)) {
      refused.push(refuseOpen(target));
      continue;
    }
    begun.add(reservationId);
    const answer = await photos.deletePhotos(reservationId, photoHashes, isStopping);
    const { left, reason } = answer;
    if (left.length > 0 && isStopping()) break;
    if (left.length > 0 && cause !== 'retention') throw reason;
    ready.push({ ...target, photosLeft: left, photoCount: countPhotos(photoHashes, answer) });
  }
  return ready;
}

/** What a certificate names. Bookings and holds of a reservation go with it. */
function namedBy(targets: readonly ReadTarget[]) {
  const bySelf = targets.filter(({ reservationId }) => reservationId === null);
  return {
    reservations: targets.flatMap(({ reservationId }) => reservationId ?? []),
    bookings: bySelf.flatMap(({ bookings }) => bookings),
    holds: bySelf.flatMap(({ holds }) => holds),
  };
}

const never = () => false;
