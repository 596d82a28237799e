import { expect, it } from 'vitest';
import { backoffMs } from '../../../../src/domain/shared/backoff.js';
import { runLostCode, wrongStatusCode } from '../../../../src/domain/shared/outcome.js';

it('a wait doubles with each failure, from the first to the longest, and is spread in whole milliseconds', () => {
  const bounds = { firstMs: 1_000, longestMs: 60_000 };
  const waits = [0, 1, 2, 3, 6, 7, 50].map((failures) => backoffMs(failures, bounds));
  expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  expect(backoffMs(2, bounds, 0.7)).toBe(1_400);
  expect(backoffMs(7, bounds, 0.5)).toBe(30_000);
  expect(backoffMs(1, { firstMs: 3, longestMs: 9 }, 0.5)).toBe(2);
});

it('L30: the codes of a wrong status and of a lost run are a contract', () => {
  expect([wrongStatusCode, runLostCode]).toEqual(['ILLEGAL_STATE', 'RUN_LOST']);
});
