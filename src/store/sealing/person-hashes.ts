import type { CodecKey } from './codec-key.js';
import { createKeyedHashes } from './keyed-hashes.js';
import { createNameHashes } from './names.js';

/** What a person is found by; each is enough. */
interface PersonIdentity {
  name?: string | null | undefined;
  phone?: string | null | undefined;
  licenseNumber?: string | null | undefined;
}

/** By which the data of a person is found without being stored in plain text (L60). */
export interface PersonHashes {
  /** To be stored. */
  stored(persons: readonly PersonIdentity[]): string[];
  /** Of one value, under each key: to compare with what is stored. */
  name(text: string): string[];
  phone(text: string): string[];
  licence(text: string): string[];
}

/** Korea's country code stands for the leading 0. */
const domestic = (phone: string) => phone.replaceAll(/\D/g, '').replace(/^(?:00)?82(?=1)/, '0');
const bare = (licence: string) =>
  licence
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

export function createPersonHashes(keys: readonly CodecKey[]): PersonHashes {
  const name = createNameHashes(keys);
  const phones = createKeyedHashes(keys, 'phones');
  const licences = createKeyedHashes(keys, 'licences');
  const phone = (text: string) => phones(domestic(text));
  const licence = (text: string) => licences(bare(text));
  /** The first is under the key that encrypts. Nothing of a text without content: all such texts would be equal. */
  const first = (hashes: (text: string) => string[], text: string | null | undefined) =>
    text == null || bare(text) === '' ? [] : hashes(text).slice(0, 1);
  return {
    name,
    phone,
    licence,
    stored: (persons) => [
      ...new Set(
        persons.flatMap((one) => [
          ...first(name, one.name),
          ...first(phone, one.phone),
          ...first(licence, one.licenseNumber),
        ]),
      ),
    ],
  };
}
