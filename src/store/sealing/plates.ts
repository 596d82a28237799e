import type { CodecKey } from './codec-key.js';
import { createKeyedHashes, type KeyedHashes } from './keyed-hashes.js';

/** By which a plate is found. */
export interface PlateHashes {
  whole: KeyedHashes;
  /** Of its last four digits; empty where it has none. */
  end: KeyedHashes;
}

export function createPlateHashes(keys: readonly CodecKey[]): PlateHashes {
  const hashes = createKeyedHashes(keys, 'plates');
  return {
    whole: (plate) => hashes(`plate ${plate.normalize('NFC').replaceAll(/\s/g, '').toUpperCase()}`),
    end(plate) {
      const digits = plate.replaceAll(/\D/g, '').slice(-4);
      return digits.length < 4 ? [] : hashes(`digits ${digits}`);
    },
  };
}
