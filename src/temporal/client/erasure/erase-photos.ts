import { photoKeyScope, reservationWorkflowId } from '../../../contract/names.js';
import { noCounts, writeCertificate } from '../../../store/erasure/certificates.js';
import { erasePhotoRows, inErasure } from '../../../store/erasure/erase-rows.js';
import { readSubject } from '../../../store/erasure/subjects.js';
import { hasOpenRun } from './histories.js';
import type { DeletedPhotos, ErasedPhotos, EraserDeps, LeftPhotos } from './types.js';

/** `Eraser.erasePhotos`. What stays is in use again. */
export async function erasePhotos(
  deps: EraserDeps,
  due: { reservations: readonly number[]; by: string; isStopping: () => boolean },
): Promise<ErasedPhotos> {
  const begun = new Set<number>();
  try {
    return await eraseBegun(deps, due, begun);
  } finally {
    for (const id of begun) deps.photos.useAgain(id);
  }
}

async function eraseBegun(
  { db, sealer, client, photos, dataKeys, now = Date.now }: EraserDeps,
  { reservations: due, by, isStopping }: Parameters<typeof erasePhotos>[1],
  begun: Set<number>,
): Promise<ErasedPhotos> {
  const left: LeftPhotos[] = [];
  const counted = new Map<number, number>();
  for (const id of due) {
    if (isStopping()) break;
    // a manager may have started it again: it needs its photos and their key
    if (await hasOpenRun(client, reservationWorkflowId(id))) {
      left.push({ reservationId: id, code: 'RESERVATION_OPEN' });
      continue;
    }
    const { photoHashes, isReadable } = await readSubject(db, sealer, id);
    begun.add(id);
    const answer = await photos.deletePhotos(id, photoHashes, isStopping);
    if (!isReadable) left.push({ reservationId: id, code: 'CASE_FILE_UNREADABLE' });
    else if (answer.left.length > 0) left.push({ reservationId: id, code: 'PHOTO_MAY_BE_SHARED' });
    counted.set(id, countPhotos(photoHashes, answer));
  }
  const shared = idsOf(left, 'PHOTO_MAY_BE_SHARED');
  const reservations = [...counted.keys()].filter((id) => !shared.includes(id));
  const at = now();
  const certificate = await inErasure(db, async (tx) => {
    const { keys, erased } = await erasePhotoRows(tx, sealer, { reservations, at });
    const withPhotos = [...erased, ...idsOf(left)].filter((id) => (counted.get(id) ?? 0) > 0);
    if (withPhotos.length === 0) return null;
    const photoCount = withPhotos.reduce((sum, id) => sum + (counted.get(id) ?? 0), 0);
    const counts = { ...noCounts, keys, photos: photoCount };
    const named = { reservations: withPhotos, bookings: [], holds: [] };
    return writeCertificate(tx, { at, by, cause: 'photos', ...named, counts });
  });
  const stay = new Set(idsOf(left));
  for (const id of reservations) {
    if (!stay.has(id)) begun.delete(id);
    dataKeys?.forget(photoKeyScope(id));
  }
  return { certificate, left };
}

const idsOf = (left: readonly LeftPhotos[], code?: LeftPhotos['code']): number[] =>
  left.flatMap((one) => (code === undefined || one.code === code ? one.reservationId : []));

/**
 * How many photos of a reservation were deleted, now or by an attempt that failed after it: its view names them until its erasure
 * is complete.
 */
export function countPhotos(hashes: readonly string[], { deleted, shared, left }: DeletedPhotos): number {
  const gone = new Set(hashes.filter((hash) => !shared.includes(hash) && !left.includes(hash)));
  return Math.max(deleted, gone.size);
}
