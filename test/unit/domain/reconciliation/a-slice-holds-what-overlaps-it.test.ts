import { expect, it } from 'vitest';
import { hidesSome, isIn } from '../../../../src/domain/reconciliation/world.js';

const slice = { from: 100, to: 200 };

it.each([
  ['does not contain', { start: 0, end: 100 }, false],
  ['contains', { start: 0, end: 101 }, true],
  ['contains', { start: 120, end: 130 }, true],
  ['contains', { start: 199, end: 300 }, true],
  ['does not contain', { start: 200, end: 300 }, false],
])('F40: a slice from 100 to 200 %s %j', (_, period, expected) => {
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
