import type { Board, BoardRow, LaneName } from '../../api/types.js';
import * as rows from '../../state/in-place.js';

export const laneNames: readonly LaneName[] = ['attention', 'dueOut', 'out', 'dueBack', 'toRecall'];

/** Of each lane, unless the user wants more. */
export const firstRows = 40;

/** `lane`: where the row is now (null: closed, or not among the first). */
export interface PlacedRow extends rows.Placed<BoardRow> {
  lane: LaneName | null;
}
export type Arrangement = Record<LaneName, readonly PlacedRow[]>;

const idOf = ({ reservationId }: BoardRow) => reservationId;

/** The rows as the API sorts them. */
export function sorted(board: Board): Arrangement {
  return ofLanes((lane) => rows.listed(board.lanes[lane].items).map((placed) => ({ ...placed, lane })));
}

/** The newest rows in the places that they have on the screen; a lane has `most`. */
export function inPlace(shown: Arrangement, board: Board, most = firstRows): Arrangement {
  const current = new Map<number, { row: BoardRow; lane: LaneName }>();
  for (const lane of laneNames)
    for (const row of board.lanes[lane].items) current.set(idOf(row), { row, lane });
  return ofLanes((lane) => {
    const { count, items } = board.lanes[lane];
    // of a long lane only the first rows are known: one that is nowhere may just be further down
    const hasLeft = (row: BoardRow) => current.has(idOf(row)) || count <= items.length;
    return rows
      .inPlace(shown[lane], { items, idOf, hasLeft, most })
      .map((placed) =>
        placed.is === 'left'
          ? { row: placed.row, lane: null, ...current.get(idOf(placed.row)), is: 'left' }
          : { ...placed, lane },
      );
  });
}

/** How many rows would change their place or be added. */
export function unsorted(arrangement: Arrangement, board: Board): number {
  return laneNames.reduce(
    (sum, lane) => sum + rows.unsorted(arrangement[lane], { items: board.lanes[lane].items, idOf }),
    0,
  );
}

function ofLanes(rowsOf: (lane: LaneName) => readonly PlacedRow[]): Arrangement {
  return Object.fromEntries(laneNames.map((lane) => [lane, rowsOf(lane)])) as Arrangement;
}
