import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { photoKeyScope } from '../../contract/names.js';
import type { PhotoRef } from '../../domain/reservation/types.js';
import { privateFile } from '../files/durable-file.js';
import { type DataKeys, destroyed } from '../sealing/data-keys.js';
import { answerOf, PhotoStoreError } from './answers.js';
import type { BlobPlace } from './blob-place.js';
import { PhotoCheck, PhotoError } from './photo-check.js';
import { isSealed, openSealed, PhotoSeal, sealBytes } from './photo-seal.js';
import { openPlace } from './place.js';
import { keysBelow, type PhotoUse, readUploadName, type UploadName, uploadName } from './uploads.js';

export interface UploadedPhoto {
  photo: PhotoRef;
  /** Stores it for ever: its action was accepted. Where this fails, the sweep does it later. */
  retain(): Promise<void>;
  /** Deletes this upload: its action was refused. Where this fails, the sweep does it later. */
  remove(): Promise<void>;
}

/** A photo of an action that is not known to be accepted. */
export interface Upload extends UploadName {
  uploadedAt(): Promise<Date>;
  /** Stores the photo for ever; deletes it where the photos of its reservation were erased. */
  retain(): Promise<void>;
  /** Deletes this upload; not another of the same photo, nor the stored photo. */
  remove(): Promise<void>;
}

/**
 * Photos by content hash. A photo is an upload until its action is accepted, and is stored from then on until its reservation
 * is erased. Each request has an upload of its own: a deletion of one cannot delete a photo that another action refers to.
 */
export interface BlobStore {
  /**
   * The stream is read to its end, or destroyed at the first byte that is too many or wrong. A photo that is stored
   * already is not stored again. Of a reservation whose photos were erased it is only checked, and nothing is stored: such a
   * reservation accepts no action, and still answers the repeat of a known one (L21).
   * @throws PhotoError `PHOTO_TOO_LARGE`, `PHOTO_TOO_MANY_PIXELS`, `PHOTO_EMPTY`, `PHOTO_TYPE`; PhotoStoreError
   */
  putPhoto(stream: Readable, maxBytes: number, use: PhotoUse): Promise<UploadedPhoto>;
  /** Stored, or still an upload. @throws PhotoError `PHOTO_NOT_FOUND`; PhotoStoreError; `KeyStoreError`, `CodecError` */
  readPhoto(hash: string, reservationId: number): Promise<Uint8Array>;
  /** Resolves while the store answers and has space. */
  probe(): Promise<void>;
  uploads(): Promise<Upload[]>;
  /**
   * Deletes every photo of a reservation, uploads too.
   * @param hashes of those that an earlier release stored, which are known by their content alone
   * @param isUsedElsewhere whether another reservation has a photo of such a hash: it is the same file, and stays
   * @returns how many files there were
   */
  deletePhotos(
    reservationId: number,
    hashes: readonly string[],
    isUsedElsewhere: (hash: string) => Promise<boolean>,
  ): Promise<number>;
}

const nothing = async () => {};

async function discard(bytes: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of bytes);
}

/**
 * Opens the photo store, in a folder or a bucket.
 * @param dataKeys each photo is encrypted under that of its reservation's photos; absent, or not written: photos are stored as they are
 */
export async function openBlobStore(at: BlobPlace, dataKeys?: DataKeys): Promise<BlobStore> {
  const { disk, prefix, ...place } = await openPlace(at);
  const plainKey = (hash: string) => `${prefix}photos/${hash.slice(0, 2)}/${hash}`;
  const folderOf = (reservationId: number) => `${prefix}reservations/${reservationId}`;
  const photoKey = (hash: string, reservationId: number) =>
    dataKeys?.areWritten ? `${folderOf(reservationId)}/${hash}` : plainKey(hash);
  const uploadsKey = (hash: string) => `${prefix}uploads/${hash.slice(0, 2)}`;

  async function putPhoto(stream: Readable, maxBytes: number, use: PhotoUse): Promise<UploadedPhoto> {
    const key = await dataKeys?.forWriting(photoKeyScope(use.reservationId));
    const check = new PhotoCheck(maxBytes);
    if (key === destroyed) {
      await pipeline(stream, check, discard);
      return { photo: check.ref(), retain: nothing, remove: nothing };
    }
    const name = randomUUID();
    const staged = join(place.staging, name);
    const file = createWriteStream(staged, { flags: 'wx', mode: privateFile });
    // a refusal can come before the file is open: it is removed after it was closed
    const closed = new Promise<void>((resolve) => file.once('close', resolve));
    let full: Error | undefined;
    file.once('error', (error) => {
      full = error;
    });
    try {
      if (key === undefined) await pipeline(stream, check, file);
      else await pipeline(stream, check, new PhotoSeal(key.key, use.reservationId), file);
      const photo = check.ref();
      const size = photo.size + (key === undefined ? 0 : sealBytes);
      const stored = photoKey(photo.hash, use.reservationId);
      if (await answerOf(isStored(stored, size))) return { photo, retain: nothing, remove: nothing };
      const upload = `${uploadsKey(photo.hash)}/${uploadName(photo.hash, use)}`;
      await answerOf(place.commit(name, upload, { ...photo, size }));
      return { photo, retain: () => place.move(upload, stored), remove: () => disk.delete(upload) };
    } catch (error) {
      throw error !== undefined && error === full ? new PhotoStoreError({ cause: error }) : error;
    } finally {
      await closed;
      await rm(staged, { force: true });
    }
  }

  async function isErased(reservationId: number): Promise<boolean> {
    return (await dataKeys?.forWriting(photoKeyScope(reservationId))) === destroyed;
  }

  /** False for a file of another size, which a power failure or a full disk cut off. */
  async function isStored(key: string, size: number): Promise<boolean> {
    if (!(await disk.exists(key))) return false;
    return (await disk.getMetaData(key)).contentLength === size;
  }

  async function readPhoto(hash: string, reservationId: number): Promise<Uint8Array> {
    const bytes = /^[0-9a-f]{64}$/.test(hash) ? await answerOf(readBytes(hash, reservationId)) : undefined;
    if (bytes === undefined) throw new PhotoError('PHOTO_NOT_FOUND', 'no photo is stored under this hash');
    if (!isSealed(bytes)) return bytes;
    const key = await dataKeys?.forReading(photoKeyScope(reservationId));
    if (key === undefined || key === destroyed)
      throw new PhotoError('PHOTO_NOT_FOUND', 'the photo was erased');
    return openSealed(bytes, key.key, reservationId);
  }

  async function readBytes(hash: string, reservationId: number): Promise<Uint8Array | undefined> {
    const upload = await readUpload(hash, reservationId);
    if (upload !== undefined) return upload;
    // where an earlier release stored it last
    for (const key of [`${folderOf(reservationId)}/${hash}`, plainKey(hash)]) {
      if (await disk.exists(key)) return disk.getBytes(key);
    }
    return undefined;
  }

  /** Read before the stored photos: an upload may become one meanwhile, never the reverse. */
  async function readUpload(hash: string, reservationId: number): Promise<Uint8Array | undefined> {
    const found = await keysBelow(disk, uploadsKey(hash));
    for (const key of found.filter((one) => basename(one).startsWith(`${hash}.`))) {
      try {
        const bytes = await disk.getBytes(key);
        // the same photo of another reservation is under another key
        const isOwn = readUploadName(basename(key))?.reservationId === reservationId;
        if (isOwn || !isSealed(bytes)) return bytes;
      } catch (error) {
        if (await disk.exists(key)) throw error;
      }
    }
    return undefined;
  }

  async function probe(): Promise<void> {
    const staged = join(place.staging, randomUUID());
    // a full disk still reads
    await writeFile(staged, 'probe', { mode: privateFile });
    await rm(staged, { force: true });
    await disk.exists(`${prefix}probe`);
  }

  async function uploads(): Promise<Upload[]> {
    const keys = await keysBelow(disk, `${prefix}uploads`);
    return keys.flatMap((key) => {
      const name = readUploadName(basename(key));
      return name === undefined ? [] : [upload(key, name)];
    });
  }

  function upload(key: string, name: UploadName): Upload {
    const stored = photoKey(name.hash, name.reservationId);
    return {
      ...name,
      uploadedAt: async () => (await disk.getMetaData(key)).lastModified,
      async retain() {
        const { contentLength } = await disk.getMetaData(key);
        const isSuperfluous = (await isErased(name.reservationId)) || (await isStored(stored, contentLength));
        await (isSuperfluous ? disk.delete(key) : place.move(key, stored));
      },
      remove: () => disk.delete(key),
    };
  }

  async function deletePhotos(
    reservationId: number,
    hashes: readonly string[],
    isUsedElsewhere: (hash: string) => Promise<boolean>,
  ): Promise<number> {
    const own = await keysBelow(disk, folderOf(reservationId));
    const uploaded = (await keysBelow(disk, `${prefix}uploads`)).filter(
      (key) => readUploadName(basename(key))?.reservationId === reservationId,
    );
    const plain: string[] = [];
    for (const hash of new Set(hashes)) {
      if ((await disk.exists(plainKey(hash))) && !(await isUsedElsewhere(hash))) plain.push(plainKey(hash));
    }
    const all = [...own, ...uploaded, ...plain];
    for (const key of all) await disk.delete(key);
    return all.length;
  }

  return { putPhoto, readPhoto, probe, uploads, deletePhotos };
}
