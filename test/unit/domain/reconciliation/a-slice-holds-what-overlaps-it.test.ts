import { expect, it } from 'vitest';
import { hidesSome, isIn } from '../../../../src/domain/reconciliation/world.js';

const slice = { from: 100, to: 200 };

it.each([
  [{ start: 0, end: 100 }, false],
  [{ start: 0, end: 101 }, true],
  [{ start: 120, end: 130 }, true],
  [{ start: 199, end: 300 }, true],
  [{ start: 200, end: 300 }, false],
])('F40: a slice from 100 to 200 has %j: %s', (period, expected) => {
  expect(isIn(slice, period)).toBe(expected);
});

it.each([
  ['any' as const, true],
  [[12], true],
  [[13], false],
  [undefined, false],
])('an entry that could not be read (of car %j) may be of car 12: %s', (unread, expected) => {
  const read = { ...slice, entries: [], unread };
  expect(hidesSome([read], 12, { start: 100, end: 200 })).toBe(expected);
  expect(hidesSome([read], 12, { start: 200, end: 300 })).toBe(false);
});
