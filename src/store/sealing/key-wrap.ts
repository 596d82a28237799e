import type { CodecKey } from './codec-key.js';
import { createSealer } from './sealer.js';

/**
 * Wraps data keys, so that a reader of the database has none of them. Here the key ring of CODEC_KEYS does it; a key
 * management service can take its place, which is why both calls may wait.
 */
export interface KeyWrap {
  /** Of the key that wraps: a data key under another one is wrapped again. */
  readonly keyId: string;
  /** @param scope authenticated with the key: a wrapped key that was copied to another row cannot be unwrapped */
  wrap(key: Uint8Array, scope: string): Promise<Buffer>;
  /** @throws `CodecError` */
  unwrap(wrapped: Uint8Array, scope: string): Promise<Buffer>;
}

/** @param keys the first wraps, all unwrap; at least one */
export function ringWrap(keys: readonly CodecKey[]): KeyWrap {
  const sealer = createSealer(keys, { opensUnbound: false });
  const rowOf = (scope: string) => `data_keys/${scope}`;
  return {
    keyId: keys[0]?.id ?? '',
    wrap: async (key, scope) => sealer.seal(key, rowOf(scope)),
    unwrap: async (wrapped, scope) => sealer.open(wrapped, rowOf(scope)),
  };
}
