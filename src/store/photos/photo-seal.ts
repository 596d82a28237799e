import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { photoKeyScope } from '../../contract/names.js';
import { cipher, decryptUnder, nonceBytes, tagBytes } from '../sealing/aes-gcm.js';

/** The first bytes of an encrypted photo: no picture begins so. Nonce, ciphertext and tag follow. */
const head = Buffer.from('HSP1');

/** By how much an encrypted photo is longer. */
export const sealBytes = head.length + nonceBytes + tagBytes;

/** Encrypts a photo's bytes as they pass. @param reservationId authenticated with them */
export class PhotoSeal extends Transform {
  private readonly nonce = randomBytes(nonceBytes);
  private readonly cipher;

  constructor(key: KeyObject, reservationId: number) {
    super();
    this.cipher = createCipheriv(cipher, key, this.nonce, { authTagLength: tagBytes });
    this.cipher.setAAD(placeOf(reservationId));
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

/** @throws `DamagedPayloadError` where it was changed, or belongs to another reservation */
export function openSealed(bytes: Uint8Array, key: KeyObject, reservationId: number): Uint8Array {
  const sealed = bytes.subarray(head.length);
  return decryptUnder(key, photoKeyScope(reservationId), sealed, placeOf(reservationId));
}

const placeOf = (reservationId: number) => Buffer.from(`${reservationId}`);
