/** The value of `known` with the fewest different letters; undefined where none is similar. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, far: distance(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(2, Math.floor(word.length / 3)) ? best.one : undefined;
}

/** Letters to insert, remove or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** `is not one of a, b; did you mean a?` */
export function notOneOf(word: unknown, known: readonly string[]): string {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined;
  const shown = typeof word === 'string' ? `"${word}"` : JSON.stringify(word);
  return meant === undefined
    ? `${shown} is not one of ${known.join(', ')}`
    : `${shown} is unknown here; did you mean "${meant}"? (${known.join(', ')})`;
}
