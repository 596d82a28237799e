/** One page of a list; `nextCursor` null: there is no more. `asOf`: when it was read, an instant; it may lag behind a moment. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | null;
  asOf: number;
}

/**
 * A page of rows that were read with one more than `limit`: that one says that there is more.
 * @param key what the next page begins after
 */
export function page<T>(rows: T[], limit: number, key: (row: T) => number, asOf: number): ListPage<T> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : String(key(last)), asOf };
}
