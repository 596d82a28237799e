import { expect, it } from 'vitest';
import type { Shift } from '../../../console/api/types.js';
import { notesOf } from '../../../console/screens/shift/notes.js';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-28T08:10:00Z');
/** The newest first, as the API lists them: hours ago, and whether a shift was accepted. */
function entries(...given: [hoursAgo: number, kind: 'accepted' | 'note'][]): Shift[] {
  return given
    .map(([hoursAgo, kind], index) => {
      const at = new Date(now - hoursAgo * hourMs).toISOString();
      const since = kind === 'accepted' ? at : null;
      return { shiftId: index + 1, at, by: 'Kim', since, note: `${hoursAgo} h ago` };
    })
    .toReversed();
}
const shown = (...given: Parameters<typeof entries>) =>
  notesOf(entries(...given), now).map(({ note }) => note);

it('without an accepted shift, notes of the last twelve hours are shown', () => {
  expect(shown([30, 'note'], [11, 'note'], [1, 'note'])).toEqual(['1 h ago', '11 h ago']);
});

it('with one, also its own note and those since, however long ago', () => {
  expect(shown([30, 'note'], [26, 'accepted'], [20, 'note'])).toEqual(['20 h ago', '26 h ago']);
});

it('with more, those since the one before the last, and none of two shifts ago', () => {
  expect(shown([50, 'accepted'], [40, 'note'], [26, 'accepted'], [20, 'note'], [13, 'accepted'])).toEqual([
    '13 h ago',
    '20 h ago',
    '26 h ago',
  ]);
});

it('two persons who accept one after the other hide no note of the night', () => {
  expect(shown([16, 'accepted'], [3, 'note'], [0.2, 'accepted'], [0.1, 'accepted'])).toEqual([
    '0.1 h ago',
    '0.2 h ago',
    '3 h ago',
  ]);
});

it('an entry without a text is no note', () => {
  const [entry] = entries([1, 'accepted']);
  expect(notesOf([{ ...(entry as Shift), note: null }], now)).toEqual([]);
});
