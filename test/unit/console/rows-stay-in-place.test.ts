import { describe, expect, it } from 'vitest';
import type { Board, BoardRow, LaneName } from '../../../console/api/types.js';
import * as arrangement from '../../../console/screens/now/arrangement.js';
import { type Arrangement, firstRows, laneNames } from '../../../console/screens/now/arrangement.js';
import * as rows from '../../../console/state/in-place.js';

const row = (reservationId: number, sequence = 1) => ({ reservationId, sequence }) as BoardRow;

function board(
  rows: Partial<Record<LaneName, number[]>>,
  counts: Partial<Record<LaneName, number>> = {},
): Board {
  const lanes = laneNames.map((lane) => {
    const items = (rows[lane] ?? []).map((id) => row(id));
    return [lane, { count: counts[lane] ?? items.length, items }];
  });
  return { asOf: '', alerts: [], degraded: [], degradedSince: {}, lanes: Object.fromEntries(lanes) };
}

const firstOnly = () => firstRows;
const sorted = (of: Board, mostOf = firstOnly) => arrangement.sorted(of, mostOf);
const inPlace = (before: Arrangement, of: Board, mostOf: arrangement.MostOf = firstOnly) =>
  arrangement.inPlace(before, of, mostOf);
const unsorted = (now: Arrangement, of: Board) => arrangement.unsorted(now, of, firstOnly);

const shown = (rowsNow: Arrangement, lane: LaneName) =>
  rowsNow[lane].map(({ row: { reservationId }, is }) => `${reservationId} ${is}`);

describe('the rows of the board', () => {
  const before = sorted(board({ dueOut: [1, 2, 3], out: [9] }));

  it('have new content in their old places, whatever the order of the answer', () => {
    const next = board({ dueOut: [3, 1, 2], out: [9] });
    const after = inPlace(before, next);
    expect(shown(after, 'dueOut')).toEqual(['1 here', '2 here', '3 here']);
    expect(unsorted(after, next)).toBe(0);
  });

  it('stay where they are when they have moved to another lane, and say so', () => {
    const next = board({ dueOut: [1, 3], out: [9, 2] });
    const after = inPlace(before, next);
    expect(shown(after, 'dueOut')).toEqual(['1 here', '2 left', '3 here']);
    expect(after.dueOut[1]).toMatchObject({ lane: 'out' });
    expect(shown(after, 'out')).toEqual(['9 here', '2 added']);
    expect(unsorted(after, next)).toBe(2);
  });

  it('stay marked as done when they are on no lane any more', () => {
    const after = inPlace(before, board({ dueOut: [2, 3], out: [9] }));
    expect(after.dueOut[0]).toMatchObject({ is: 'left', lane: null });
  });

  it('are not marked where the lane is longer than what is known of it', () => {
    const after = inPlace(before, board({ dueOut: [7, 1, 2], out: [9] }, { dueOut: 4 }));
    expect(shown(after, 'dueOut')).toEqual(['1 here', '2 here', '3 here', '7 added']);
  });

  it('do not become more and more: a full lane shows new ones once it is sorted', () => {
    const ids = (first: number) => Array.from({ length: 40 }, (_, index) => first + index);
    const next = board({ out: ids(30) });
    const after = inPlace(sorted(board({ out: ids(1) })), next);
    expect(shown(after, 'out')).toHaveLength(40);
    expect(shown(after, 'out').slice(28, 30)).toEqual(['29 left', '30 here']);
    expect(unsorted(after, next)).toBe(29 + 29);
    expect(shown(sorted(next), 'out')).toEqual(ids(30).map((id) => `${id} here`));
  });

  it('are added behind the 40th in the one lane of which the user shows more', () => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    const others = ids.map((id) => 100 + id);
    const before40 = sorted(
      board({ out: ids.slice(0, 40), dueOut: others.slice(0, 40) }, { out: 50, dueOut: 50 }),
    );
    const longer = board({ out: ids, dueOut: others });
    const mostOf = (lane: LaneName) => (lane === 'out' ? 80 : 40);
    const after = inPlace(before40, longer, mostOf);
    expect(shown(after, 'out')).toEqual(ids.map((id) => `${id} ${id > 40 ? 'added' : 'here'}`));
    const first40 = others.slice(0, 40).map((id) => `${id} here`);
    for (const one of [after, arrangement.sorted(longer, mostOf)]) {
      expect(one.out).toHaveLength(50);
      expect(shown(one, 'dueOut')).toEqual(first40);
    }
    expect(arrangement.unsorted(after, longer, mostOf)).toBe(10);
    // back at the first rows, before the next answer
    expect(shown(sorted(longer), 'out')).toHaveLength(40);
  });

  it('are the same objects where nothing has changed, wherever they are now: they do not render again', () => {
    const shownBefore = board({ dueOut: [1, 2, 3], out: [9] });
    const answer = board({ dueOut: [9, 3, 1], out: [2] });
    answer.lanes.dueOut.items[1] = row(3, 2);
    const next = arrangement.keepEqual(shownBefore, answer);
    const [first, second, third] = shownBefore.lanes.dueOut.items;
    const [nine, three, one] = next.lanes.dueOut.items;
    expect([nine === shownBefore.lanes.out.items[0], one === first]).toEqual([true, true]);
    expect(next.lanes.out.items[0]).toBe(second);
    expect([three === third, three?.sequence]).toEqual([false, 2]);
    expect(next).toEqual(answer);
    expect(arrangement.keepEqual(undefined, answer)).toEqual(answer);
  });

  it('return to their place without a mark', () => {
    const gone = inPlace(before, board({ dueOut: [1, 3], out: [9] }));
    expect(shown(inPlace(gone, board({ dueOut: [1, 2, 3], out: [9] })), 'dueOut')).toEqual([
      '1 here',
      '2 here',
      '3 here',
    ]);
  });
});

it('the rows of a panel stay where they are: new ones are counted, and what left is marked', () => {
  const of = (...ids: number[]) => ({
    items: ids.map((id) => ({ id })),
    idOf: ({ id }: { id: number }) => id,
  });
  const newest = of(9, 1, 3);
  const after = rows.inPlace(rows.listed(of(1, 2, 3).items), newest);
  expect(after.map(({ row: { id }, is }) => `${id} ${is}`)).toEqual(['1 here', '2 left', '3 here']);
  expect(rows.unsorted(after, newest)).toBe(2);
});
