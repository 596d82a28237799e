import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhotoStoreError } from '../../src/store/photos/answers.js';
import { type BlobStore, openBlobStore } from '../../src/store/photos/store.js';
import { MemoryDataKeys } from '../support/data-keys.js';

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50_000, 7)]);
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 1)]);
const webp = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(20)]);
const limit = 100_000;
const use = { reservationId: 8421, commandId: 'p-1' };

let path: string;
let blobs: BlobStore;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'handover-blobs-'));
  blobs = await openBlobStore({ kind: 'folder', path });
});
afterEach(async () => {
  await rm(path, { recursive: true, force: true });
});

async function files(): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
/** In small pieces, as a network delivers it. */
function inPieces(bytes: Buffer, size = 5): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    ),
  );
}

describe('a photo', () => {
  it('is stored under the hash of its bytes, with the type that its bytes show', async () => {
    for (const [bytes, type] of [
      [jpeg, 'image/jpeg'],
      [png, 'image/png'],
      [webp, 'image/webp'],
    ] as const) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const { photo, retain } = await blobs.putPhoto(inPieces(bytes, 4_096), limit, use);
      expect(photo).toEqual({ hash, type, size: bytes.length });
      expect(Buffer.from(await blobs.readPhoto(hash, 8421)).equals(bytes)).toBe(true);
      await retain();
      expect(Buffer.from(await blobs.readPhoto(hash, 8421)).equals(bytes)).toBe(true);
    }
  });

  it('is recognised however small its chunks are', async () => {
    expect(await blobs.putPhoto(inPieces(webp, 1), limit, use)).toMatchObject({
      photo: { type: 'image/webp' },
    });
  });

  it('is stored once, also when it comes many times at once', async () => {
    const refs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { photo, retain } = await blobs.putPhoto(inPieces(png), limit, use);
        await retain();
        return photo;
      }),
    );
    expect(new Set(refs.map(({ hash }) => hash)).size).toBe(1);
    expect(await files()).toEqual([refs[0]?.hash]);
  });

  it('of exactly the allowed size is accepted; a byte more is not, and its stream is not read further', async () => {
    await blobs.putPhoto(inPieces(jpeg, 4_096), jpeg.length, use);
    const stream = inPieces(Buffer.concat([png, Buffer.alloc(200_000)]), 4_096);
    await expect(blobs.putPhoto(stream, limit, use)).rejects.toMatchObject({ code: 'PHOTO_TOO_LARGE' });
    expect(stream.destroyed).toBe(true);
    expect(await files()).toHaveLength(1);
  });

  it('that is no photo is refused and leaves nothing behind', async () => {
    const refused = [
      ['PHOTO_TYPE', Buffer.from('<svg onload="alert(1)">................')],
      ['PHOTO_TYPE', Buffer.from('RIFF')],
      ['PHOTO_EMPTY', Buffer.alloc(0)],
    ] as const;
    for (const [code, bytes] of refused) {
      await expect(blobs.putPhoto(inPieces(bytes), limit, use)).rejects.toMatchObject({ code });
    }
    expect(await files()).toEqual([]);
  });

  it('whose sender breaks off leaves nothing behind', async () => {
    const stream = Readable.from(
      (async function* () {
        yield jpeg;
        throw new Error('the connection broke');
      })(),
    );
    await expect(blobs.putPhoto(stream, limit, use)).rejects.toThrow('the connection broke');
    expect(await files()).toEqual([]);
  });

  it('whose store fails was not sent: the error says so, and the store answers again once it is repaired', async () => {
    await blobs.probe();
    expect(await files()).toEqual([]);
    await writeFile(join(path, 'uploads'), 'no folder');
    await expect(blobs.putPhoto(inPieces(jpeg, 4_096), limit, use)).rejects.toBeInstanceOf(PhotoStoreError);
    await expect(blobs.readPhoto('0'.repeat(64), 8421)).rejects.toBeInstanceOf(PhotoStoreError);
    await rm(join(path, 'uploads'));
    await blobs.putPhoto(inPieces(jpeg, 4_096), limit, use);
    await rm(join(path, 'incoming'), { recursive: true });
    await expect(blobs.putPhoto(inPieces(png), limit, use)).rejects.toBeInstanceOf(PhotoStoreError);
    await expect(blobs.probe()).rejects.toThrow();
  });

  it('that was not stored is not found, whatever the form of the hash', async () => {
    for (const hash of ['0'.repeat(64), '../../etc/passwd', '']) {
      await expect(blobs.readPhoto(hash, 8421)).rejects.toMatchObject({ code: 'PHOTO_NOT_FOUND' });
    }
  });
});

describe('L60: a photo under the data key of its reservation', () => {
  it('that was uploaded, and erased before it was stored for ever, is deleted in the place of that', async () => {
    const dataKeys = new MemoryDataKeys();
    const store = await openBlobStore({ kind: 'folder', path }, dataKeys);
    await store.putPhoto(inPieces(png), limit, use);
    dataKeys.erase('photos-8421', new Map());
    for (const upload of await store.uploads()) await upload.retain();
    const found = await readdir(path, { recursive: true, withFileTypes: true });
    expect(found.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('that was changed, or belongs to another reservation, is damaged, not an internal error', async () => {
    const dataKeys = new MemoryDataKeys();
    const store = await openBlobStore({ kind: 'folder', path }, dataKeys);
    const { photo, retain } = await store.putPhoto(inPieces(png), limit, use);
    await retain();
    const file = join(path, 'reservations', '8421', photo.hash);
    const sealed = await readFile(file);
    expect(sealed.includes(png.subarray(8, 40))).toBe(false);
    const other = join(path, 'reservations', '8422');
    await mkdir(other);
    await writeFile(join(other, photo.hash), sealed);
    dataKeys.forWriting('photos-8422');
    await expect(store.readPhoto(photo.hash, 8422)).rejects.toMatchObject({ code: 'CODEC_PAYLOAD_DAMAGED' });
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    await writeFile(file, sealed);
    await expect(store.readPhoto(photo.hash, 8421)).rejects.toMatchObject({ code: 'CODEC_PAYLOAD_DAMAGED' });
  });
});
