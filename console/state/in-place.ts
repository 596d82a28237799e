/** A row of a list as it was last read. `left`: it is not in the list any more. */
interface ListedRow<Row> {
  row: Row;
  is: 'here' | 'left';
}

export function listed<Row>(rows: readonly Row[]): readonly ListedRow<Row>[] {
  return rows.map((row) => ({ row, is: 'here' }));
}

/** Of one list: rows that left it stay and are marked, new ones are added below. */
export function listedInPlace<Row>(
  shown: readonly ListedRow<Row>[],
  rows: readonly Row[],
  idOf: (row: Row) => number,
): readonly ListedRow<Row>[] {
  const added = new Map(rows.map((row) => [idOf(row), row]));
  const places = shown.map(({ row }): ListedRow<Row> => {
    const found = added.get(idOf(row));
    added.delete(idOf(row));
    return found === undefined ? { row, is: 'left' } : { row: found, is: 'here' };
  });
  return [...places, ...listed([...added.values()])];
}
