import { photoKeyScope } from '../../../contract/names.js';
import { noCounts, writeCertificate } from '../../../store/erasure/certificates.js';
import { erasePhotoRows, inErasure } from '../../../store/erasure/erase-rows.js';
import { readSubject } from '../../../store/erasure/subjects.js';
import type { DeletedPhotos, ErasedPhotos, EraserDeps } from './types.js';

/** `Eraser.erasePhotos`. */
export async function erasePhotos(
  deps: EraserDeps,
  due: { reservations: readonly number[]; by: string; isStopping: () => boolean },
): Promise<ErasedPhotos> {
  const begun: number[] = [];
  try {
    return await eraseBegun(deps, due, begun);
  } catch (error) {
    for (const id of begun) deps.photos.keepPhotos(id);
    throw error;
  }
}

async function eraseBegun(
  { db, sealer, photos, dataKeys, now = Date.now }: EraserDeps,
  { reservations: due, by, isStopping }: Parameters<typeof erasePhotos>[1],
  begun: number[],
): Promise<ErasedPhotos> {
  const undecided: number[] = [];
  const counted = new Map<number, number>();
  for (const id of due) {
    if (isStopping()) break;
    const { photoHashes } = await readSubject(db, sealer, id);
    begun.push(id);
    const answer = await photos.deletePhotos(id, photoHashes, isStopping);
    if (answer.left.length > 0) undecided.push(id);
    counted.set(id, countPhotos(photoHashes, answer));
  }
  const reservations = [...counted.keys()].filter((id) => !undecided.includes(id));
  const at = now();
  const certificate = await inErasure(db, async (tx) => {
    const { keys, erased } = await erasePhotoRows(tx, sealer, { reservations, at });
    const withPhotos = [...erased, ...undecided].filter((id) => (counted.get(id) ?? 0) > 0);
    if (withPhotos.length === 0) return null;
    const photoCount = withPhotos.reduce((sum, id) => sum + (counted.get(id) ?? 0), 0);
    const counts = { ...noCounts, keys, photos: photoCount };
    const named = { reservations: withPhotos, bookings: [], holds: [] };
    return writeCertificate(tx, { at, by, cause: 'photos', ...named, counts });
  });
  for (const id of reservations) dataKeys?.forget(photoKeyScope(id));
  return { certificate, left: undecided };
}

/**
 * How many photos of a reservation were deleted, now or by an attempt that failed after it: its view names them until its erasure
 * is complete.
 */
export function countPhotos(hashes: readonly string[], { deleted, shared, left }: DeletedPhotos): number {
  const gone = new Set(hashes.filter((hash) => !shared.includes(hash) && !left.includes(hash)));
  return Math.max(deleted, gone.size);
}
