import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** In place of a data key that an erasure destroyed. */
export const destroyed = 'destroyed';
export type DataKey = UsableDataKey | typeof destroyed;

export interface UsableDataKey {
  key: KeyObject;
  /**
   * Derived from the key: payloads name it. After the restore of an older database a scope gets another key, and what is under the
   * first is then known to lack its key, not taken for damaged.
   */
  version: string;
}

/** @param bytes 32 */
export function toDataKey(bytes: Uint8Array): UsableDataKey {
  const key = createSecretKey(bytes);
  const version = createHmac('sha256', key)
    .update('handover: version of a data key')
    .digest('hex')
    .slice(0, 12);
  return { key, version };
}

/**
 * Data keys: one for each reservation, booking and hold. A scope names what a key belongs to; it is the id of its workflow
 * (`dataKeyScope`). Both reads answer at once where the key is in memory.
 */
export interface DataKeys {
  /** False: what is under data keys is read, and nothing is written under one, as releases before 0.4.0 read it. */
  readonly areWritten: boolean;
  /**
   * The key that encrypts; made once, also where several processes need it at the same time. Undefined: none is written.
   * @throws `KeyStoreError`, `CodecError`
   */
  forWriting(scope: string): DataKey | undefined | Promise<DataKey>;
  /** @throws `KeyStoreError`, `CodecError` */
  forReading(scope: string): DataKey | Promise<DataKey>;
  /**
   * What an erasure left of a payload, in its wire form: the same JSON with a tombstone in the place of each personal value.
   * @param nonce of the payload, by which it is known
   * @returns undefined: it left none, because Temporal did not have the payload any more
   */
  remainsOf(scope: string, nonce: Uint8Array): Promise<Uint8Array | undefined>;
}
