import type { CodecKey } from './codec-key.js';
import { createKeyedHashes, type KeyedHashes } from './keyed-hashes.js';

/** By which the whole name of a person is found, however it is spaced and capitalised. */
export function createNameHashes(keys: readonly CodecKey[]): KeyedHashes {
  const hashes = createKeyedHashes(keys, 'names');
  return (name) => hashes(name.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase());
}
