import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { CodecKey } from './codec-key.js';
import { DamagedPayloadError, UnknownKeyError } from './errors.js';

export const cipher = 'aes-256-gcm';
export const nonceBytes = 12;
export const tagBytes = 16;

/** AES-256-GCM under one key. @param aad authenticated with it, and needed to decrypt @returns nonce, ciphertext and tag. */
export function encryptUnder(key: KeyObject, plain: Uint8Array, aad?: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  if (aad !== undefined) encryption.setAAD(aad);
  const text = encryption.update(plain);
  return Buffer.concat([nonce, text, encryption.final(), encryption.getAuthTag()]);
}

/**
 * @param keyId named in the error
 * @returns the bytes, in memory of their own
 * @throws `DamagedPayloadError`
 */
export function decryptUnder(key: KeyObject, keyId: string, sealed: Uint8Array, aad?: Uint8Array): Buffer {
  try {
    const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    if (aad !== undefined) decryption.setAAD(aad);
    decryption.setAuthTag(sealed.subarray(-tagBytes));
    const plain = decryption.update(sealed.subarray(nonceBytes, -tagBytes));
    // checks the tag; GCM has no bytes left
    decryption.final();
    return plain;
  } catch {
    throw new DamagedPayloadError(keyId);
  }
}

/** Keys for AES-256-GCM: the first encrypts, all decrypt (rotation). */
export class KeyRing {
  private readonly known: ReadonlyMap<string, KeyObject>;
  /** Of the key that encrypts. */
  readonly keyId: string;
  private readonly first: KeyObject;

  constructor(keys: readonly CodecKey[]) {
    this.known = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
    const [first] = keys;
    const secret = first && this.known.get(first.id);
    if (first === undefined || secret === undefined) throw new Error('encryption needs at least one key');
    this.keyId = first.id;
    this.first = secret;
  }

  /** @param aad authenticated with it, and needed to decrypt @returns nonce, ciphertext and tag. */
  encrypt(plain: Uint8Array, aad?: Uint8Array): Buffer {
    return encryptUnder(this.first, plain, aad);
  }

  /** @throws `UnknownKeyError`, `DamagedPayloadError` */
  decrypt(keyId: string, sealed: Uint8Array, aad?: Uint8Array): Buffer {
    const key = this.known.get(keyId);
    if (key === undefined) throw new UnknownKeyError(keyId);
    return decryptUnder(key, keyId, sealed, aad);
  }
}
