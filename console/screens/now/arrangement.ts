import type { Board, BoardRow, LaneName } from '../../api/types.js';

export const laneNames: readonly LaneName[] = ['attention', 'dueOut', 'out', 'dueBack', 'toRecall'];

/** Of each lane, unless the user wants more. */
export const firstRows = 40;

/** `moved`: the row has left its lane, and stays until the rows are sorted; `lane`: where it is now (null: closed, or not among the first). */
export interface PlacedRow {
  row: BoardRow;
  is: 'here' | 'added' | 'moved';
  lane: LaneName | null;
}
export type Arrangement = Record<LaneName, readonly PlacedRow[]>;

/** The rows as the API sorts them. */
export function sorted(board: Board): Arrangement {
  return ofLanes((lane) => board.lanes[lane].items.map((row) => ({ row, is: 'here', lane })));
}

/**
 * The newest rows in the places that they have on the screen: no row moves below the user's pointer. Rows that left their lane
 * stay and are marked, new ones are added at the end, as far as the lane has room for `most`.
 */
export function inPlace(shown: Arrangement, board: Board, most = firstRows): Arrangement {
  const current = new Map<number, { row: BoardRow; lane: LaneName }>();
  for (const lane of laneNames) {
    for (const row of board.lanes[lane].items) current.set(row.reservationId, { row, lane });
  }
  return ofLanes((lane) => {
    const places = shown[lane].map((placed) => placeOf(placed, lane, board, current));
    const known = new Set(shown[lane].map(({ row }) => row.reservationId));
    const added = board.lanes[lane].items.filter(({ reservationId }) => !known.has(reservationId));
    const room = Math.max(most - places.length, 0);
    return [...places, ...added.slice(0, room).map((row): PlacedRow => ({ row, is: 'added', lane }))];
  });
}

function placeOf(
  placed: PlacedRow,
  lane: LaneName,
  board: Board,
  current: ReadonlyMap<number, { row: BoardRow; lane: LaneName }>,
): PlacedRow {
  const found = current.get(placed.row.reservationId);
  if (found === undefined) {
    const { count, items } = board.lanes[lane];
    // of a long lane only the first rows are known: this one may just be further down
    return count > items.length ? placed : { row: placed.row, is: 'moved', lane: null };
  }
  if (found.lane !== lane) return { ...found, is: 'moved' };
  return { ...found, is: placed.is === 'added' ? 'added' : 'here' };
}

/** How many rows would change their place or be added. */
export function unsorted(arrangement: Arrangement, board: Board): number {
  return laneNames.reduce((sum, lane) => {
    const known = new Set(arrangement[lane].map(({ row }) => row.reservationId));
    const changed = arrangement[lane].filter(({ is }) => is !== 'here');
    const missing = board.lanes[lane].items.filter(({ reservationId }) => !known.has(reservationId));
    return sum + changed.length + missing.length;
  }, 0);
}

function ofLanes(rowsOf: (lane: LaneName) => readonly PlacedRow[]): Arrangement {
  return Object.fromEntries(laneNames.map((lane) => [lane, rowsOf(lane)])) as Arrangement;
}
