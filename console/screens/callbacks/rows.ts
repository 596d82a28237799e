import type { Callback } from '../../api/types.js';
import * as rows from '../../state/in-place.js';

/** The rows on the screen, newest first, and what has arrived above them. */
export interface Listed {
  rows: readonly rows.Placed<Callback>[];
  /** The highest id that is shown; 0: none. */
  top: number;
  newer: number;
}

const idOf = ({ id }: Callback) => id;

/** The list as it is first shown, or after the user requested what is new. */
export function listed(items: readonly Callback[]): Listed {
  return { rows: rows.listed(items), top: items[0]?.id ?? 0, newer: 0 };
}

/** Rows stay in place: newer ones are counted, and those that no longer match stay marked. `items`: the first page as it is now. */
export function inPlace(before: Listed, items: readonly Callback[]): Listed {
  if (before.rows.length === 0) return listed(items);
  const lowest = items.at(-1)?.id ?? 0;
  const hasLeft = ({ id }: Callback) => id >= lowest;
  return {
    rows: rows.inPlace(before.rows, { items, idOf, hasLeft }),
    top: before.top,
    newer: items.filter(({ id }) => id > before.top).length,
  };
}

/** The next page below. */
export function withOlder(before: Listed, items: readonly Callback[]): Listed {
  const older = rows.listed(rows.missing(before.rows, { items, idOf }));
  return { ...before, rows: [...before.rows, ...older] };
}
