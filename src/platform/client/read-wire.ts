import type { Schema } from '../profile.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns the JSON value; undefined where the bytes are not UTF-8 or not JSON */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/**
 * Reads a JSON body by its schema. It never throws: the platform has already acted, and an error inside a profile must
 * not hide that.
 *
 * @returns the value, or the paths that do not fit, never with their values
 */
export function readWire<T>(schema: Schema<T>, body: Uint8Array): { value: T } | { misfits: string } {
  try {
    const read = schema.safeDecode(parseJson(body));
    if (read.success) return { value: read.data };
    const places = read.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
    return { misfits: places.join('; ') };
  } catch {
    return { misfits: 'the wire profile failed on it' };
  }
}
