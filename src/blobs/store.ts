import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobPlace } from '../config.js';
import type { PhotoRef } from '../lifecycle/types.js';
import { PhotoCheck, PhotoError } from './photo-check.js';
import { openPlace } from './place.js';

export interface BlobStore {
  /**
   * Keeps a photo under its content's hash, once however often it comes. The stream is read to its end, or
   * destroyed at the first byte that is too many or wrong.
   * @throws PhotoError `PHOTO_TOO_LARGE`, `PHOTO_EMPTY`, `PHOTO_TYPE`.
   */
  putPhoto(stream: Readable, maxBytes: number): Promise<PhotoRef>;
  /** @throws PhotoError `PHOTO_NOT_FOUND`. */
  readPhoto(hash: string): Promise<Uint8Array>;
}

/** Opens the photo store: bytes by content hash, in a folder or a bucket. */
export async function openBlobStore(at: BlobPlace): Promise<BlobStore> {
  const place = await openPlace(at);
  const keyOf = (hash: string) => `${place.prefix}photos/${hash.slice(0, 2)}/${hash}`;

  async function putPhoto(stream: Readable, maxBytes: number): Promise<PhotoRef> {
    const name = randomUUID();
    const staged = join(place.staging, name);
    const check = new PhotoCheck(maxBytes);
    const file = createWriteStream(staged, { flags: 'wx' });
    // a refusal can come while the file is still being opened: it is removed when it is there to be removed
    const closed = new Promise<void>((resolve) => file.once('close', resolve));
    try {
      await pipeline(stream, check, file);
      const photo = check.ref();
      const key = keyOf(photo.hash);
      if (!(await place.disk.exists(key))) await place.commit(name, key, photo);
      return photo;
    } finally {
      await closed;
      await rm(staged, { force: true });
    }
  }

  async function readPhoto(hash: string): Promise<Uint8Array> {
    if (!/^[0-9a-f]{64}$/.test(hash) || !(await place.disk.exists(keyOf(hash)))) {
      throw new PhotoError('PHOTO_NOT_FOUND', 'no photo is kept under this hash');
    }
    return place.disk.getBytes(keyOf(hash));
  }

  return { putPhoto, readPhoto };
}
