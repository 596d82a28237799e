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

it('a letter next to the surrogates takes three bytes, a pair of surrogates four, and no value none', () => {
  expect(['\ud7ff', '\ue000', '\u{10000}', '\u{103ff}'].map((letter) => bytesOf(letter) - 2)).toEqual([
    3, 3, 4, 4,
  ]);
  expect(bytesOf(undefined)).toBe(0);
});

it('a text of 1,000 letters stays, also within a value, and a longer one is cut to as many', () => {
  const text = 'x'.repeat(1_000);
  expect(cut(text)).toBe(text);
  expect(cutTexts([text, `${text}x`])).toEqual([text, `${text.slice(1)}…`]);
  expect(fitToBytes(`${text}x`, 5_000)).toBe(`${text.slice(1)}…`);
});

it('a value of exactly the allowed bytes is unchanged', () => {
  expect(fitToBytes('xxxx', 6)).toBe('xxxx');
  expect(fitToBytes('x'.repeat(600), 601)).toBe(`${'x'.repeat(499)}…`);
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
