import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { CodecKey } from './codec-key.js';

/** Keyed hashes by which a plate is found without being stored in plain text (L60): under each key, the first is stored. */
export interface PlateHashes {
  whole(plate: string): string[];
  /** Of its last four digits; empty where it has none. */
  end(plate: string): string[];
}

/** @param keys those that encrypt the row; the hash's own keys are derived from them (HKDF) */
export function createPlateHashes(keys: readonly CodecKey[]): PlateHashes {
  const secrets = keys.map(({ key }) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'handover: plates', 32))),
  );
  const hashes = (kind: string, text: string) =>
    secrets.map((secret) =>
      createHmac('sha256', secret).update(`${kind} ${text}`).digest('hex').slice(0, 32),
    );
  return {
    whole: (plate) => hashes('plate', plate.normalize('NFC').replaceAll(/\s/g, '').toUpperCase()),
    end(plate) {
      const digits = plate.replaceAll(/\D/g, '').slice(-4);
      return digits.length < 4 ? [] : hashes('digits', digits);
    },
  };
}
