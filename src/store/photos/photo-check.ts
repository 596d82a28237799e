import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { PhotoRef } from '../../domain/reservation/types.js';
import { type DimensionReader, dimensionReader } from './pixels.js';

/** A photo that is refused. The message states what is accepted. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError';
  constructor(
    readonly code:
      | 'PHOTO_TOO_LARGE'
      | 'PHOTO_TOO_MANY_PIXELS'
      | 'PHOTO_EMPTY'
      | 'PHOTO_TYPE'
      | 'PHOTO_NOT_FOUND',
    message: string,
  ) {
    super(message);
  }
}

/** Types are recognised by their first bytes, not by file names. */
const magic: { type: string; fits(head: Buffer): boolean }[] = [
  { type: 'image/jpeg', fits: (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  {
    type: 'image/png',
    fits: (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  },
  {
    type: 'image/webp',
    fits: (head) =>
      head.toString('latin1', 0, 4) === 'RIFF' &&
      head.toString('latin1', 8, 12) === 'WEBP' &&
      head.length >= 12,
  },
];
const headBytes = 12;
/** Decoded, a picture takes four bytes a pixel: 200 MB at most. The largest of common telephones have 50 million. */
const mostPixels = 50_000_000;

/** Passes a photo's bytes on while it measures, hashes and checks them; fails at once with `PhotoError`. */
export class PhotoCheck extends Transform {
  private readonly hash = createHash('sha256');
  private head = Buffer.alloc(0);
  private size = 0;
  private type: string | undefined;
  private dimensions: DimensionReader | undefined;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    this.hash.update(chunk);
    const wrong = this.checkChunk(chunk);
    if (wrong === null) done(null, chunk);
    else done(wrong);
  }

  override _flush(done: TransformCallback): void {
    if (this.size === 0) done(new PhotoError('PHOTO_EMPTY', 'the photo has no bytes'));
    else done(this.type === undefined ? unknownType() : null);
  }

  /** After the last byte. */
  ref(): PhotoRef {
    return { hash: this.hash.digest('hex'), type: this.type ?? '', size: this.size };
  }

  private checkChunk(chunk: Buffer): PhotoError | null {
    if (this.size > this.maxBytes) {
      return new PhotoError('PHOTO_TOO_LARGE', `a photo has ${this.maxBytes} bytes at most`);
    }
    if (this.type !== undefined) return this.measure(chunk);
    const before = this.head.length;
    this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - before)]);
    this.type = magic.find(({ fits }) => fits(this.head))?.type;
    if (this.type === undefined) return this.head.length >= headBytes ? unknownType() : null;
    return this.measure(Buffer.concat([this.head.subarray(0, before), chunk]));
  }

  /** Checked before anything decodes the photo: a small file may decode to gigabytes. */
  private measure(chunk: Buffer): PhotoError | null {
    this.dimensions ??= dimensionReader(this.type ?? '');
    const found = this.dimensions.read(chunk);
    if (found === undefined || found.width * found.height <= mostPixels) return null;
    return new PhotoError('PHOTO_TOO_MANY_PIXELS', `a photo has ${mostPixels} pixels at most`);
  }
}

function unknownType(): PhotoError {
  return new PhotoError('PHOTO_TYPE', 'a photo is a JPEG, PNG or WebP file; these bytes are none of them');
}
