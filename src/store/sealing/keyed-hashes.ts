import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { CodecKey } from './codec-key.js';

/** A text's hashes by which it is found without being stored in plain text (L60): one under each key, the first is stored. */
export type KeyedHashes = (text: string) => string[];

/**
 * @param keys those that encrypt the row; the hash's own keys are derived from them (HKDF)
 * @param purpose names what is hashed: the same text has other hashes elsewhere
 */
export function createKeyedHashes(keys: readonly CodecKey[], purpose: string): KeyedHashes {
  const secrets = keys.map(({ key }) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `handover: ${purpose}`, 32))),
  );
  return (text) =>
    secrets.map((secret) => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32));
}
