const mostRows = 2_000;

/** Writes rows in several statements, so that each stays small. */
export async function inBatches<T>(rows: readonly T[], write: (batch: string) => Promise<unknown>) {
  for (let from = 0; from < rows.length; from += mostRows) {
    await write(JSON.stringify(rows.slice(from, from + mostRows)));
  }
}
