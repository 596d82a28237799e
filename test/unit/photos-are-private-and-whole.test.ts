import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webAddress } from '../../src/domain/reservation/index.js';
import { openBlobStore } from '../../src/store/photos/store.js';

const limit = 1_000_000;
const use = { reservationId: 8421, commandId: 'p-1' };
let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'handover-photos-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const png = (width: number, height: number, rest = 100) => {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n', 'latin1');
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.alloc(rest, 1)]);
};
const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const jpeg = (width: number, height: number, before: Buffer[] = [], frame = 0xc0) => {
  const size = Buffer.alloc(15);
  size.writeUInt8(8, 0);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    segment(frame, size),
    Buffer.from([0xff, 0xda, 0, 2]),
    Buffer.alloc(50, 3),
  ]);
};
const webp = (kind: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from('RIFF\x40\0\0\0WEBP', 'latin1'),
    Buffer.from(kind),
    Buffer.from([30, 0, 0, 0]),
    body,
    Buffer.alloc(40),
  ]);
const lossy = (width: number, height: number) => {
  const body = Buffer.alloc(10);
  body.writeUInt16LE(width, 6);
  body.writeUInt16LE(height, 8);
  return webp('VP8 ', body);
};
const lossless = (width: number, height: number) => {
  const body = Buffer.alloc(5, 0x2f);
  body.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return webp('VP8L', body);
};
const extended = (width: number, height: number) => {
  const body = Buffer.alloc(10);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return webp('VP8X', body);
};

describe('a picture of more than 50 million pixels is refused before anything decodes it', () => {
  const app = (length: number) => segment(0xe1, Buffer.alloc(length, 0xaa));
  const thumbnail = segment(0xe1, jpeg(160, 120));
  const small: [string, Buffer][] = [
    ['PNG', png(7_000, 7_000)],
    ['JPEG', jpeg(8_064, 6_048)],
    ['JPEG with a thumbnail that says less', jpeg(4_000, 3_000, [thumbnail])],
    ['WebP', lossy(7_000, 7_000)],
    ['lossless WebP', lossless(7_000, 7_000)],
    ['extended WebP', extended(7_000, 7_000)],
  ];
  const large: [string, Buffer][] = [
    ['PNG', png(30_000, 30_000)],
    ['JPEG', jpeg(60_000, 60_000)],
    [
      'progressive JPEG behind a megabyte of other segments',
      jpeg(60_000, 60_000, Array(16).fill(app(60_000)), 0xc2),
    ],
    ['JPEG behind a small thumbnail', jpeg(60_000, 60_000, [thumbnail])],
    [
      'JPEG behind bytes between its segments',
      jpeg(60_000, 60_000, [app(10), Buffer.from([0, 1, 2, 0xff, 0xff, 0])]),
    ],
    ['WebP', lossy(16_383, 16_383)],
    ['lossless WebP', lossless(16_384, 16_384)],
    ['extended WebP', extended(16_000_000, 16_000_000)],
  ];
  const inPieces = (bytes: Buffer, size: number) =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      ),
    );

  it.each(small)('%s of fewer is stored', async (_, bytes) => {
    const blobs = await openBlobStore({ kind: 'folder', path });
    expect(await blobs.putPhoto(inPieces(bytes, 7), limit, use)).toMatchObject({
      photo: { size: bytes.length },
    });
  });
  it.each(large)('%s', async (_, bytes) => {
    const blobs = await openBlobStore({ kind: 'folder', path });
    for (const size of [1_021, 65_536]) {
      await expect(blobs.putPhoto(inPieces(bytes, size), 2_000_000, use)).rejects.toMatchObject({
        code: 'PHOTO_TOO_MANY_PIXELS',
      });
    }
  });
});

describe('a photo', () => {
  const bytes = png(10, 10);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const put = async () => {
    const blobs = await openBlobStore({ kind: 'folder', path });
    const { retain } = await blobs.putPhoto(Readable.from([bytes]), limit, use);
    await retain();
  };
  const stored = () => join(path, 'photos', hash.slice(0, 2), hash);

  it('is accessible to its owner only, as is every folder above it', async () => {
    await chmod(path, 0o755);
    await put();
    expect((await stat(stored())).mode & 0o777).toBe(0o600);
    for (const folder of [
      path,
      join(path, 'incoming'),
      join(path, 'uploads'),
      join(path, 'uploads', hash.slice(0, 2)),
      join(path, 'photos'),
      join(path, 'photos', hash.slice(0, 2)),
    ]) {
      expect([folder, (await stat(folder)).mode & 0o777]).toEqual([folder, 0o700]);
    }
  });

  it('replaces one of another size, such as a power cut leaves', async () => {
    await mkdir(join(path, 'photos', hash.slice(0, 2)), { recursive: true });
    await writeFile(stored(), bytes.subarray(0, 20));
    await put();
    expect((await readFile(stored())).equals(bytes)).toBe(true);
  });

  it('of an interrupted upload of a killed process is deleted at the next start; one under way is not', async () => {
    await put();
    const [old, young] = [join(path, 'incoming', 'old'), join(path, 'incoming', 'young')];
    for (const file of [old, young]) await writeFile(file, 'half');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(old, before, before);
    await openBlobStore({ kind: 'folder', path });
    expect(await readdir(join(path, 'incoming'))).toEqual(['young']);
  });
});

it('an image address from outside is http or https, or absent', () => {
  const good = ['https://photos.example/1.jpg?a=b#c', 'http://photos.example', 'HTTPS://photos.example/1'];
  const bad = [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg>',
    '//photos.example',
    'photo.jpg',
    'https://a b',
    'https://a"onload="',
    'file:///etc/passwd',
    '',
  ];
  expect(good.map(webAddress)).toEqual(good);
  expect(bad.map(webAddress)).toEqual(bad.map(() => null));
  expect([null, undefined].map(webAddress)).toEqual([null, null]);
});
