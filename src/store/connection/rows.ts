/** The rows of a raw statement (`db.execute`), as either driver gives them: numbers beyond 32 bits may be text. */
export function rowsOf<Row>(result: unknown): Row[] {
  return (result as { rows: Row[] }).rows;
}
