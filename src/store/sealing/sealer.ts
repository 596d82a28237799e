import { KeyRing } from './aes-gcm.js';
import { isBinding, rowBinding } from './binding.js';
import type { CodecKey } from './codec-key.js';
import { DamagedPayloadError, MisplacedPayloadError } from './errors.js';

/**
 * Encrypts personal data in the database (L60), under the keys that encrypt histories, and bound to its
 * row: `row` is table and id, such as `inbox/17`.
 */
export interface Sealer {
  /** @returns a version byte, the key's id with its length, the binding, then nonce, ciphertext and tag. */
  seal(plain: Uint8Array, row: string): Buffer;
  /** Also opens what releases before 0.3.0 sealed, which is bound to no row, unless `opensUnbound` is false. @throws `CodecError` */
  open(sealed: Uint8Array, row: string): Buffer;
}

/** Version byte of the head. Releases before 0.3.0 write and read only `unbound`. */
const versions = { unbound: 1, bound: 2 };
const bindingBytes = 16;

/**
 * @param keys the first encrypts, all decrypt (rotation); at least one
 * @param bind false: seals in the form that releases before 0.3.0 read
 * @param opensUnbound false: refuses that form, for what no release before 0.3.0 seals
 */
export function createSealer(keys: readonly CodecKey[], { bind = true, opensUnbound = true } = {}): Sealer {
  const ring = new KeyRing(keys);
  const keyId = Buffer.from(ring.keyId);
  const version = bind ? versions.bound : versions.unbound;
  const head = Buffer.concat([Buffer.from([version, keyId.length]), keyId]);
  return {
    seal(plain, row) {
      if (!bind) return Buffer.concat([head, ring.encrypt(plain)]);
      const binding = rowBinding(row);
      return Buffer.concat([head, binding, ring.encrypt(plain, binding)]);
    },
    open(sealed, row) {
      const [tag, length = 0] = sealed;
      const id = Buffer.from(sealed.subarray(2, 2 + length)).toString();
      const rest = sealed.subarray(2 + length);
      if (tag === versions.unbound && opensUnbound) return ring.decrypt(id, rest);
      const binding = rest.subarray(0, bindingBytes);
      if (tag !== versions.bound || !isBinding(binding)) throw new DamagedPayloadError('');
      const plain = ring.decrypt(id, rest.subarray(bindingBytes), binding);
      if (!rowBinding(row).equals(binding)) throw new MisplacedPayloadError(id);
      return plain;
    },
  };
}
