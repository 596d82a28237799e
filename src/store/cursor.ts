/** The cursor belongs to another list, or to none. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
  constructor() {
    super('the cursor is not one that a page gave as nextCursor');
  }
}

/** @throws CursorError unless it is a key of the list: a whole number up to `largest`. */
export function cursorOf(cursor: string | undefined, largest: number): number | undefined {
  if (cursor === undefined) return undefined;
  const key = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(key <= largest)) throw new CursorError();
  return key;
}
