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
  /** Of one value, under each key: to compare with what is stored. None of a text that identifies no one. */
  name(text: string): string[];
  phone(text: string): string[];
  licence(text: string): string[];
}

/** Korea's country code stands for the leading 0. */
const domestic = (phone: string) => phone.replaceAll(/\D/g, '').replace(/^(?:00)?82(?=1)/, '0');
const bare = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Fewer are no telephone number of one person. */
const fewestDigits = 7;

export function createPersonHashes(keys: readonly CodecKey[]): PersonHashes {
  const names = createNameHashes(keys);
  const phones = createKeyedHashes(keys, 'phones');
  const licences = createKeyedHashes(keys, 'licences');
  // fields hold what stands for nothing too ("없음", "N/A"; L61): all who have it would be one person
  const name = (text: string) => (bare(text) === '' ? [] : names(text));
  const phone = (text: string) => {
    const digits = domestic(text);
    return digits.length < fewestDigits ? [] : phones(digits);
  };
  const licence = (text: string) => {
    const number = bare(text);
    return /\p{N}/u.test(number) ? licences(number) : [];
  };
  /** The first is under the key that encrypts. */
  const first = (hashes: (text: string) => string[], text: string | null | undefined) =>
    hashes(text ?? '').slice(0, 1);
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
