import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Below it there is little to save. */
const leastBytes = 512;
/** The first byte of a compressed message. No message of Protobuf begins so: no field has the number 0. */
const compressedMark = 0;
/** Lengths are multiples of it: how well a text compresses would else confirm a guess of it, after its erasure too. */
const step = 256;
/** Smaller buffers than zlib's default of 256 KB: some kilobytes take 17 µs, not 29. */
const settings = { level: 1, windowBits: 14, memLevel: 7 };

/** The message itself where it is no longer than the result. */
export function compress(message: Uint8Array): Uint8Array {
  if (message.length < leastBytes) return message;
  const compressed = deflateRawSync(message, settings);
  const length = Math.ceil((1 + compressed.length) / step) * step;
  if (length >= message.length) return message;
  const padded = Buffer.alloc(length);
  padded[0] = compressedMark;
  padded.set(compressed, 1);
  return padded;
}

/**
 * Both what `compress` compressed and what it left as it was.
 * @throws Error where the bytes are neither
 */
export function decompress(data: Uint8Array): Uint8Array {
  if (data[0] !== compressedMark) return data;
  // what follows the end of the stream is padding, and zlib's result is part of a larger buffer
  return new Uint8Array(inflateRawSync(data.subarray(1)));
}
