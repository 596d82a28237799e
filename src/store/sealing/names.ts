import type { CodecKey } from './codec-key.js';
import { createKeyedHashes, type KeyedHashes } from './keyed-hashes.js';

/** By which the whole name of a person is found, however it is spaced and capitalised. @param purpose of `createKeyedHashes` */
export function createNameHashes(keys: readonly CodecKey[], purpose = 'names'): KeyedHashes {
  const hashes = createKeyedHashes(keys, purpose);
  return (name) => hashes(name.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase());
}
