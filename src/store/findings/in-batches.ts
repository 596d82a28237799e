const mostRows = 2_000;

/** Rows of one statement each: what a statement carries stays small. */
export async function inBatches<T>(rows: readonly T[], write: (batch: string) => Promise<unknown>) {
  for (let from = 0; from < rows.length; from += mostRows) {
    await write(JSON.stringify(rows.slice(from, from + mostRows)));
  }
}
