import type { Locale, Sentence } from '../../../domain/shared/message.js';

/** A field that does not fit, and what would be right; the path is empty for the whole. */
export interface FieldLine {
  field: string;
  message: Sentence;
}
/** What zod says by itself, in English. */
interface Own {
  text: string;
}

export const joinLines = (lines: readonly FieldLine[], { sentence }: Locale) =>
  lines.map(({ field, message }) => [field, sentence(message)].filter(Boolean).join(': ')).join('; ');

/** What a schema expects of a field. */
export const fields = {
  'field.whole-number': () => 'expected a whole number',
  'field.whole-number-from': ({ from }: { from: number }) => `expected a whole number from ${from} on`,
  'field.whole-number-between': ({ from, to }: { from: number; to: number }) =>
    `expected a whole number from ${from} to ${to}`,
  'field.id': () => 'expected a whole number from 1 to 2^53-1, such as 8421',
  'field.integer': () => 'expected an integer',
  'field.text': () => 'expected text, not blanks, without control characters',
  'field.no-blanks': () => 'expected text, not blanks',
  'field.text-at-most': ({ max }: { max: number }) => `expected at most ${max} characters`,
  'field.digits': () => 'expected digits only, without -',
  'field.birth': () => 'expected a birth date YYYYMMDD that exists',
  'field.moment': () => "expected yyyy-MM-dd'T'HH:mm:ss.SSS with an offset: +0900, +09:00 or Z",
  'field.offset': () => 'expected an offset between -23:59 and +23:59',
  'field.moment-exists': () => 'expected a date and a time that exist',
  'field.moment-after': ({ start }: { start: string }) => `expected a moment after ${start}`,
  'field.either': ({ values: [one, other] }: { values: readonly [string, string] }) =>
    `expected ${one} or ${other}`,
  'field.one-of': ({ values }: { values: readonly (string | number)[] }) =>
    `expected one of ${values.join(', ')}`,
  'field.one-at-least': ({ names }: { names: readonly string[] }) =>
    `expected one of ${names.join(', ')} at least`,
  'field.key': () => 'expected 1 to 128 letters, digits or . _ : -, such as a UUID',
  'field.key-missing': () =>
    'expected the header on every write: a new UUID for a new action, the same one to repeat it',
  'field.cursor': () => 'expected nextCursor of an earlier answer',
  'field.of-open': () => 'expected closed=false, or none',
  'field.parking-lot': () => 'expected 1 (paid) or 0 (unknown)',
  'field.override-reason': () => 'expected a reason with override: true',
  'field.approval': () => 'expected 0 (awaiting approval) or 1 (approved)',
  'field.replayable': () => 'expected sent, done or dead: others are on their way',
  'field.photo-hash': () => 'expected the hash of a photo, as the reservation shows it',
  'field.proposal': () => "expected an id of a reservation's proposals",
  'field.hold': () => 'expected carId, startAt, endAt and reason, or proposalId alone',
  'field.hold-change': () => 'expected startAt, endAt or reason',
  'field.booking-outcome': () => 'expected outcome applied with a reservationId, or outcome rejected',

  /** The fields of a body that has several forms. */
  'field.each': ({ lines }: { lines: readonly FieldLine[] }, locale: Locale) => joinLines(lines, locale),
  /** `expectation`: the name of a type, or what the profile expects. */
  'field.misfit': ({ text }: Own & { expectation: Sentence; received: string; gap: string | null }) => text,
  'field.type': ({ text }: Own & { expected: string }) => text,
  'field.at-least': ({ text }: Own & { origin: string; limit: number }) => text,
  'field.at-most': ({ text }: Own & { origin: string; limit: number }) => text,
  'field.unknown': ({ text }: Own & { keys: readonly string[] }) => text,
  'field.value': ({ text }: Own & { values: readonly unknown[] }) => text,
  'field.other': ({ text }: Own) => text,
} as const;
