import { type Instant, stamp } from './time.js';

/**
 * A sentence as code and data: stored and sent so, and rendered where a person reads it. Data are ids, codes, instants, names of
 * facts and names of those who acted; never personal data (L60).
 */
export interface Message<Code extends string = string, Data extends object = object> {
  code: Code;
  data: Data;
}

/** A message; or a text that has no code: the platform's, an operator's, or one that an earlier release stored. */
export type Sentence = string | Message;

/** What a sentence is written with, beside its data. */
export interface Locale {
  /** RFC 3339, in the service's zone. */
  time(instant: Instant): string;
  /** A sentence within another. */
  sentence(sentence: Sentence): string;
}

/** The sentences of one language by their codes. */
export type Catalogue = Readonly<Record<string, (data: never, locale: Locale) => string>>;
export type DataOf<Write> = Write extends (data: infer Data extends object, locale: Locale) => string
  ? unknown extends Data
    ? object
    : Data
  : object;
/** The same sentences in another language: one that is missing fails the build. */
export type Translation<C extends Catalogue> = {
  [Code in keyof C]: (data: DataOf<C[Code]>, locale: Locale) => string;
};

/** Renders sentences in one language and zone; a code that the catalogue does not have is shown itself. */
export function renderer(catalogue: Catalogue, zoneOffsetMinutes: number): (sentence: Sentence) => string {
  const locale: Locale = {
    time: (instant) => stamp(instant, zoneOffsetMinutes),
    sentence(sentence) {
      if (typeof sentence === 'string') return sentence;
      const { code, data } = sentence;
      if (!Object.hasOwn(catalogue, code)) return code;
      const write = catalogue[code] as (data: object, locale: Locale) => string;
      return write(data, locale);
    },
  };
  return locale.sentence;
}
