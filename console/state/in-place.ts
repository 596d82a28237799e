/** A row of a list on the screen, with its newest content. `left`: it is no longer in its list, and stays until the rows are sorted. */
export interface Placed<Row> {
  row: Row;
  is: 'here' | 'added' | 'left';
}

interface ListOf<Row> {
  /** The newest rows of the list. */
  items: readonly Row[];
  idOf(row: Row): string | number;
  /** Of a row that is not among them; false: it may be further down. */
  hasLeft?(row: Row): boolean;
  /** So many rows are shown at most; new ones are added at the end. Absent: none is added. */
  most?: number;
}

/** The rows as their list has them. */
export function listed<Row>(items: readonly Row[]): Placed<Row>[] {
  return items.map((row) => ({ row, is: 'here' }));
}

/** The newest rows in the places that they have on the screen: no row moves below the user's pointer. */
export function inPlace<Row>(shown: readonly Placed<Row>[], list: ListOf<Row>): Placed<Row>[] {
  const { items, idOf, hasLeft = () => true, most = 0 } = list;
  const newest = new Map(items.map((row) => [idOf(row), row]));
  const places = shown.map(({ row, is }): Placed<Row> => {
    const found = newest.get(idOf(row));
    if (found === undefined) return { row, is: hasLeft(row) ? 'left' : is };
    return { row: found, is: is === 'added' ? 'added' : 'here' };
  });
  const added = missing(shown, list).slice(0, Math.max(most - places.length, 0));
  return [...places, ...added.map((row): Placed<Row> => ({ row, is: 'added' }))];
}

/** How many rows would change their place or be added. */
export function unsorted<Row>(shown: readonly Placed<Row>[], list: ListOf<Row>): number {
  return shown.filter(({ is }) => is !== 'here').length + missing(shown, list).length;
}

/** What the list has and the screen does not. */
export function missing<Row>(
  shown: readonly Placed<Row>[],
  { items, idOf }: Pick<ListOf<Row>, 'items' | 'idOf'>,
): Row[] {
  const known = new Set(shown.map(({ row }) => idOf(row)));
  return items.filter((row) => !known.has(idOf(row)));
}
