import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PhotoRef } from '../../domain/reservation/types.js';
import { privateFile } from '../files/durable-file.js';
import type { BlobPlace } from './blob-place.js';
import { PhotoCheck, PhotoError } from './photo-check.js';
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
  /** Stores the photo for ever. */
  retain(): Promise<void>;
  /** Deletes this upload; not another of the same photo, nor the stored photo. */
  remove(): Promise<void>;
}

/**
 * Photos by content hash. A photo is an upload until its action is accepted, and is stored for ever from then on. Only
 * uploads are deleted, and each request has its own: a deletion cannot delete a photo that another action refers to.
 */
export interface BlobStore {
  /**
   * The stream is read to its end, or destroyed at the first byte that is too many or wrong. A photo that is stored
   * already is not stored again.
   * @throws PhotoError `PHOTO_TOO_LARGE`, `PHOTO_TOO_MANY_PIXELS`, `PHOTO_EMPTY`, `PHOTO_TYPE`.
   */
  putPhoto(stream: Readable, maxBytes: number, use: PhotoUse): Promise<UploadedPhoto>;
  /** Stored, or still an upload. @throws PhotoError `PHOTO_NOT_FOUND`. */
  readPhoto(hash: string): Promise<Uint8Array>;
  uploads(): Promise<Upload[]>;
}

const nothing = async () => {};

/** Opens the photo store, in a folder or a bucket. */
export async function openBlobStore(at: BlobPlace): Promise<BlobStore> {
  const { disk, prefix, ...place } = await openPlace(at);
  const photoKey = (hash: string) => `${prefix}photos/${hash.slice(0, 2)}/${hash}`;
  const uploadsKey = (hash: string) => `${prefix}uploads/${hash.slice(0, 2)}`;

  async function putPhoto(stream: Readable, maxBytes: number, use: PhotoUse): Promise<UploadedPhoto> {
    const name = randomUUID();
    const staged = join(place.staging, name);
    const check = new PhotoCheck(maxBytes);
    const file = createWriteStream(staged, { flags: 'wx', mode: privateFile });
    // a refusal can come before the file is open: it is removed after it was closed
    const closed = new Promise<void>((resolve) => file.once('close', resolve));
    try {
      await pipeline(stream, check, file);
      const photo = check.ref();
      const stored = photoKey(photo.hash);
      if (await isStored(stored, photo.size)) return { photo, retain: nothing, remove: nothing };
      const upload = `${uploadsKey(photo.hash)}/${uploadName(photo.hash, use)}`;
      await place.commit(name, upload, photo);
      return { photo, retain: () => place.move(upload, stored), remove: () => disk.delete(upload) };
    } finally {
      await closed;
      await rm(staged, { force: true });
    }
  }

  /** False for a file of another size, which a power failure or a full disk cut off. */
  async function isStored(key: string, size: number): Promise<boolean> {
    if (!(await disk.exists(key))) return false;
    return (await disk.getMetaData(key)).contentLength === size;
  }

  async function readPhoto(hash: string): Promise<Uint8Array> {
    const bytes = /^[0-9a-f]{64}$/.test(hash) ? await readUpload(hash) : undefined;
    if (bytes !== undefined) return bytes;
    if (!/^[0-9a-f]{64}$/.test(hash) || !(await disk.exists(photoKey(hash)))) {
      throw new PhotoError('PHOTO_NOT_FOUND', 'no photo is stored under this hash');
    }
    return disk.getBytes(photoKey(hash));
  }

  /** Read before the stored photos: an upload may become one meanwhile, never the reverse. */
  async function readUpload(hash: string): Promise<Uint8Array | undefined> {
    const keys = await keysBelow(disk, uploadsKey(hash));
    for (const key of keys.filter((one) => basename(one).startsWith(`${hash}.`))) {
      try {
        return await disk.getBytes(key);
      } catch (error) {
        if (await disk.exists(key)) throw error;
      }
    }
    return undefined;
  }

  async function uploads(): Promise<Upload[]> {
    const keys = await keysBelow(disk, `${prefix}uploads`);
    return keys.flatMap((key) => {
      const name = readUploadName(basename(key));
      return name === undefined ? [] : [upload(key, name)];
    });
  }

  function upload(key: string, name: UploadName): Upload {
    const stored = photoKey(name.hash);
    return {
      ...name,
      uploadedAt: async () => (await disk.getMetaData(key)).lastModified,
      async retain() {
        const { contentLength } = await disk.getMetaData(key);
        await ((await isStored(stored, contentLength)) ? disk.delete(key) : place.move(key, stored));
      },
      remove: () => disk.delete(key),
    };
  }

  return { putPhoto, readPhoto, uploads };
}
