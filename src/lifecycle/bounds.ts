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
