import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** The first bytes of an encrypted photo: no picture begins so. Nonce, ciphertext and tag follow. */
const head = Buffer.from('HSP1');
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** By how much an encrypted photo is longer. */
export const sealBytes = head.length + nonceBytes + tagBytes;

/** Encrypts a photo's bytes as they pass. @param place authenticated with them: the reservation */
export class PhotoSeal extends Transform {
  private readonly nonce = randomBytes(nonceBytes);
  private readonly cipher;

  constructor(key: KeyObject, place: string) {
    super();
    this.cipher = createCipheriv(cipher, key, this.nonce, { authTagLength: tagBytes });
    this.cipher.setAAD(Buffer.from(place));
    this.push(Buffer.concat([head, this.nonce]));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.cipher.update(chunk));
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.concat([this.cipher.final(), this.cipher.getAuthTag()]));
  }
}

export function isSealed(bytes: Uint8Array): boolean {
  return head.equals(bytes.subarray(0, head.length));
}

/** @throws Error where it was changed, or belongs to another reservation */
export function openSealed(bytes: Uint8Array, key: KeyObject, place: string): Uint8Array {
  const rest = bytes.subarray(head.length);
  const decipher = createDecipheriv(cipher, key, rest.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(rest.subarray(-tagBytes));
  return Buffer.concat([decipher.update(rest.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
