import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The most bytes of a callback, also after its coding is removed; a reservation with all fields has 2 KB. */
export const largestBody = 256 * 1024;

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * A body without its content coding (RFC 9110, 8.4). Total.
 * @param coding the header `Content-Encoding`, absent or empty for none
 * @returns null where the coding is unknown, more than one, broken, or hides more than `largestBody`
 */
export function withoutCoding(raw: Uint8Array, coding: string | undefined): Uint8Array | null {
  const name = (coding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return raw;
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  try {
    return decode?.(raw, { maxOutputLength: largestBody }) ?? null;
  } catch {
    return null;
  }
}
