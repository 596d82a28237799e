import { eq } from 'drizzle-orm';
import { photos, reservationPhotos } from './schema.js';
import type { Executor } from './store.js';

/** Stores a photo: its bytes once per content, and a row for the upload. */
export async function storePhoto(
  tx: Executor,
  photo: typeof photos.$inferInsert,
  upload: Omit<typeof reservationPhotos.$inferInsert, 'hash'>,
): Promise<void> {
  await tx.insert(photos).values(photo).onConflictDoNothing();
  await tx.insert(reservationPhotos).values({ ...upload, hash: photo.hash });
}

export async function readPhoto(db: Executor, photoId: string) {
  const [row] = await db
    .select({ type: photos.type, bytes: photos.bytes })
    .from(reservationPhotos)
    .innerJoin(photos, eq(photos.hash, reservationPhotos.hash))
    .where(eq(reservationPhotos.photoId, photoId));
  return row;
}
