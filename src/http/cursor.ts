/** The cursor belongs to another list, or to none. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}
