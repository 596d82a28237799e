/** Carried state is bounded (64 KB): nothing that comes from outside may grow it without end. */
const mostLetters = 1_000;

/** A text of at most `most` UTF-16 units, the cut marked by an ellipsis. */
export function cut(text: string, most = mostLetters): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A JSON value with every text in it cut. */
export function cutTexts<T>(value: T, most = mostLetters): T {
  if (typeof value === 'string') return cut(value, most) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, part]) => [name, cutTexts(part, most)]);
  return (Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)) as T;
}

/** How many bytes a JSON value takes as UTF-8 text: a letter of Korean counts three. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // of a surrogate pair, four bytes, each half counts two
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** A JSON value of at most `most` bytes, its texts cut to ever fewer letters until it is. */
export function fitToBytes<T>(value: T, most: number): T {
  let letters = mostLetters;
  let shorter = cutTexts(value, letters);
  while (bytesOf(shorter) > most && letters > fewestLetters) {
    letters = Math.floor(letters / 2);
    shorter = cutTexts(value, letters);
  }
  return shorter;
}
const fewestLetters = 8;

/**
 * Goes through items from the newest, the last, while their sizes fit into the budget together; the others are
 * handed to `shrink`. The newest always fits.
 */
export function withinBudget<T>(
  items: readonly T[],
  budget: number,
  size: (item: T) => number,
  shrink: (item: T) => T,
): T[] {
  let spent = 0;
  return items
    .toReversed()
    .map((item, index) => {
      spent += size(item);
      return index === 0 || spent <= budget ? item : shrink(item);
    })
    .toReversed();
}
