import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bytesOf,
  cut,
  cutTexts,
  fitToBytes,
  withinBudget,
} from '../../../../src/domain/reservation/bounds.js';

it('a text is cut to its allowed length, its end marked, and no character is split', () => {
  expect(cut('abcd', 4)).toBe('abcd');
  expect(cut('abcde', 4)).toBe('abc…');
  expect(cut('ab😀de', 4)).toBe('ab…');
  expect(cut('a'.repeat(1_001))).toHaveLength(1_000);
});

it('every text in a value is cut, and nothing else changes', () => {
  const value = { list: ['abcde', { text: 'abcde' }, 7, null], flag: true, none: null };
  expect(cutTexts(value, 4)).toEqual({ list: ['abc…', { text: 'abc…' }, 7, null], flag: true, none: null });
});

it('bytes are counted as UTF-8 counts them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      expect(bytesOf(texts)).toBe(Buffer.byteLength(JSON.stringify(texts)));
    }),
  );
  expect(bytesOf('\u007f\u0080\u07ff\u0800\ud7a3')).toBe(
    Buffer.byteLength('"\u007f\u0080\u07ff\u0800\ud7a3"'),
  );
});

it('a value that is too large has its texts halved until it fits, and one that fits is unchanged', () => {
  const memo = '가'.repeat(400);
  expect(fitToBytes({ memo }, 1_300)).toEqual({ memo });
  expect(fitToBytes({ memo }, 800)).toEqual({ memo: `${'가'.repeat(249)}…` });
  expect(fitToBytes({ memo }, 1)).toEqual({ memo: `${'가'.repeat(6)}…` });
});

it('the newest items that fit into the budget stay, the newest one always', () => {
  const shrunk = (items: number[], budget: number) =>
    withinBudget(
      items,
      budget,
      (item) => item,
      () => 0,
    );
  expect(shrunk([3, 2, 1], 6)).toEqual([3, 2, 1]);
  expect(shrunk([3, 2, 1], 5)).toEqual([0, 2, 1]);
  expect(shrunk([3, 2, 9], 5)).toEqual([0, 0, 9]);
});
