import type { Callback } from '../../api/types.js';

/** A row of the list: as it was last read. `left`: it no longer matches the filters. */
export interface ListedRow {
  row: Callback;
  is: 'here' | 'left';
}

/** The rows on the screen, newest first, and what has arrived above them. */
export interface Listed {
  rows: readonly ListedRow[];
  /** The highest id that is shown; 0: none. */
  top: number;
  newer: number;
}

/** The list as it is first shown, or after the user requested what is new. */
export function listed(items: readonly Callback[]): Listed {
  return { rows: items.map((row) => ({ row, is: 'here' })), top: items[0]?.id ?? 0, newer: 0 };
}

/** Rows stay in place: newer ones are counted, and those that no longer match stay marked. `items`: the first page as it is now. */
export function inPlace(before: Listed, items: readonly Callback[]): Listed {
  if (before.rows.length === 0) return listed(items);
  const now = new Map(items.map((row) => [row.id, row]));
  const lowest = items.at(-1)?.id ?? 0;
  const rows = before.rows.map(({ row, is }): ListedRow => {
    const found = now.get(row.id);
    if (found !== undefined) return { row: found, is: 'here' };
    return { row, is: row.id >= lowest ? 'left' : is };
  });
  return { rows, top: before.top, newer: items.filter(({ id }) => id > before.top).length };
}

/** The next page below. */
export function withOlder(before: Listed, items: readonly Callback[]): Listed {
  const shown = new Set(before.rows.map(({ row }) => row.id));
  const added = items.filter(({ id }) => !shown.has(id));
  return { ...before, rows: [...before.rows, ...added.map((row) => ({ row, is: 'here' as const }))] };
}
