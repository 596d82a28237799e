/** The part of a list in ascending id that begins after `cursor`. */
export function pageAfter<T>(
  all: readonly T[],
  id: (item: T) => number,
  { cursor = '0', limit }: { cursor?: string; limit: number },
): { items: T[]; nextCursor: string | null } {
  const begin = firstAfter(all, id, Number(cursor));
  const items = all.slice(begin, begin + limit);
  const last = items.at(-1);
  return { items, nextCursor: begin + limit < all.length && last !== undefined ? String(id(last)) : null };
}

function firstAfter<T>(all: readonly T[], id: (item: T) => number, cursor: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (id(all[middle] as T) <= cursor) low = middle + 1;
    else high = middle;
  }
  return low;
}
