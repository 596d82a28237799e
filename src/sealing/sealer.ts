import type { CodecKey } from '../config.js';
import { KeyRing } from './aes-gcm.js';
import { DamagedPayloadError } from './errors.js';

/** Encrypts what the database keeps of personal data (L60), under the keys that encrypt histories. */
export interface Sealer {
  /** @returns a version byte, the key's id with its length, then nonce, ciphertext and tag. */
  seal(plain: Uint8Array): Buffer;
  /** @throws `UnknownKeyError`, `DamagedPayloadError` */
  open(sealed: Uint8Array): Buffer;
}

const version = 1;

/** @param keys the first encrypts, all decrypt (rotation); at least one */
export function createSealer(keys: readonly CodecKey[]): Sealer {
  const ring = new KeyRing(keys);
  const keyId = Buffer.from(ring.keyId);
  const head = Buffer.concat([Buffer.from([version, keyId.length]), keyId]);
  return {
    seal: (plain) => Buffer.concat([head, ring.encrypt(plain)]),
    open(sealed) {
      const [tag, length = 0] = sealed;
      if (tag !== version) throw new DamagedPayloadError('');
      const id = Buffer.from(sealed.subarray(2, 2 + length)).toString();
      return ring.decrypt(id, sealed.subarray(2 + length));
    },
  };
}
