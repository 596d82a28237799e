/** The languages of the sentences that Handover writes; the first is the default. */
export const languages = ['en', 'ko'] as const;
export type Language = (typeof languages)[number];

interface Range {
  /** `ko`, `ko-kr`, `*`. */
  tag: string;
  /** 0 to 1; 0: not acceptable. */
  weight: number;
  place: number;
}

/**
 * The language to answer in (RFC 9110, 12.5.4): the one that the caller weighs highest, of several the one it names first;
 * English where it names none of ours.
 * @param accepted the header `Accept-Language`
 */
export function languageOf(accepted: string | undefined): Language {
  if (accepted === undefined) return languages[0];
  const ranges = accepted.split(',').map(toRange);
  const offers = languages.map((language) => ({ language, range: rangeOf(ranges, language) }));
  const [best] = offers.sort((a, b) => b.range.weight - a.range.weight || a.range.place - b.range.place);
  return best !== undefined && best.range.weight > 0 ? best.language : languages[0];
}

function toRange(part: string, place: number): Range {
  const [tag = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
  const given = parameters.find((one) => one.startsWith('q='));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return { tag, weight: weight >= 0 && weight <= 1 ? weight : 0, place };
}

/** A range that names the language counts before `*`. */
function rangeOf(ranges: readonly Range[], language: Language): Range {
  const named = ranges.filter(({ tag }) => tag === language || tag.startsWith(`${language}-`));
  const [best] = named.sort((a, b) => b.weight - a.weight);
  return best ?? ranges.find(({ tag }) => tag === '*') ?? { tag: language, weight: 0, place: ranges.length };
}
