/** One page of a list; `nextCursor` null: it is the last page. `asOf`: when it was read, an instant; the content may be slightly older. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | null;
  asOf: number;
}

/**
 * A page of rows. The caller reads one row more than `limit`, which shows that there is another page.
 * @param key key of a row, after which the next page begins
 */
export function page<T>(
  rows: T[],
  limit: number,
  key: (row: T) => number | string,
  asOf: number,
): ListPage<T> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : String(key(last)), asOf };
}

/** Every item of a list, read page by page. @throws what `readPage` throws */
export async function* readItems<T>(
  readPage: (from: { cursor?: string }) => Promise<Pick<ListPage<T>, 'items' | 'nextCursor'>>,
): AsyncGenerator<T> {
  let from: { cursor?: string } | undefined = {};
  while (from !== undefined) {
    const { items, nextCursor }: Pick<ListPage<T>, 'items' | 'nextCursor'> = await readPage(from);
    yield* items;
    from = nextCursor === null ? undefined : { cursor: nextCursor };
  }
}
