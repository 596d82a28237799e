import type { Board, BoardRow, LaneName } from '../../api/types.js';
import * as rows from '../../state/in-place.js';

export const laneNames: readonly LaneName[] = ['attention', 'dueOut', 'out', 'dueBack', 'toRecall'];

/** Of each lane, unless the user wants more of it. */
export const firstRows = 40;
export type MostOf = (lane: LaneName) => number;

/** `lane`: where the row is now (null: closed, or not among the first). */
export interface PlacedRow extends rows.Placed<BoardRow> {
  lane: LaneName | null;
}
export type Arrangement = Record<LaneName, readonly PlacedRow[]>;

const idOf = ({ reservationId }: BoardRow) => reservationId;

/** The newest board. A row that has not changed is the object that it was, so it does not render again. */
export function keepEqual(before: Board | undefined, { lanes, ...newest }: Board): Board {
  const rowsOf = (board?: Pick<Board, 'lanes'>) =>
    laneNames.flatMap((lane) => board?.lanes[lane].items ?? []);
  const known = new Map(rowsOf(before).map((row) => [JSON.stringify(row), row]));
  const kept = laneNames.map((lane) => {
    const { count, items } = lanes[lane];
    return [lane, { count, items: items.map((row) => known.get(JSON.stringify(row)) ?? row) }];
  });
  return { ...newest, lanes: Object.fromEntries(kept) };
}

/** The rows as the API sorts them: of a longer answer, only as many as a lane has. */
export function sorted(board: Board, mostOf: MostOf): Arrangement {
  return ofLanes((lane) => rows.listed(first(board, lane, mostOf)).map((placed) => ({ ...placed, lane })));
}

/** The newest rows in the places that they have on the screen. */
export function inPlace(shown: Arrangement, board: Board, mostOf: MostOf): Arrangement {
  const current = new Map<number, { row: BoardRow; lane: LaneName }>();
  for (const lane of laneNames)
    for (const row of board.lanes[lane].items) current.set(idOf(row), { row, lane });
  return ofLanes((lane) => {
    const { count, items } = board.lanes[lane];
    // of a long lane only the first rows are known: one that is nowhere may just be further down
    const hasLeft = (row: BoardRow) => current.has(idOf(row)) || count <= items.length;
    return rows
      .inPlace(shown[lane], { items, idOf, hasLeft, most: mostOf(lane) })
      .map(
        (placed): PlacedRow =>
          placed.is === 'left'
            ? { row: placed.row, lane: null, ...current.get(idOf(placed.row)), is: 'left' }
            : { ...placed, lane },
      );
  });
}

/** How many rows would change their place or be added. */
export function unsorted(arrangement: Arrangement, board: Board, mostOf: MostOf): number {
  return laneNames.reduce(
    (sum, lane) => sum + rows.unsorted(arrangement[lane], { items: first(board, lane, mostOf), idOf }),
    0,
  );
}

function first(board: Board, lane: LaneName, mostOf: MostOf): BoardRow[] {
  return board.lanes[lane].items.slice(0, mostOf(lane));
}

function ofLanes(rowsOf: (lane: LaneName) => readonly PlacedRow[]): Arrangement {
  return Object.fromEntries(laneNames.map((lane) => [lane, rowsOf(lane)])) as Arrangement;
}
