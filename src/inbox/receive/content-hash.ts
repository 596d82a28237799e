import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { CodecKey } from '../../store/sealing/codec-key.js';

/**
 * Identifies a callback without an id: its path and bytes, hashed under each of the keys, in hex. The first hash is stored;
 * all are compared with stored ones, so that a rotation of keys turns no repeat into a new event.
 */
export type ContentHashes = (path: string, raw: Uint8Array) => readonly [string, ...string[]];

/**
 * Keyed, because the hash is stored in plain text beside the encrypted body: a body whose every value but a phone number is
 * known to an attacker could be found by trying all numbers against a plain SHA-256.
 * @param keys those that encrypt the inbox; at least one. The hash's own keys are derived from them (HKDF).
 */
export function createContentHashes(keys: readonly CodecKey[]): ContentHashes {
  const [first, ...others] = keys.map(({ key }) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'handover: content of callbacks', 32))),
  );
  if (first === undefined) throw new Error('hashing what callbacks hold needs at least one key');
  return (path, raw) => {
    const under = (key: typeof first) =>
      createHmac('sha256', key).update(path).update('\0').update(raw).digest('hex');
    return [under(first), ...others.map(under)];
  };
}
