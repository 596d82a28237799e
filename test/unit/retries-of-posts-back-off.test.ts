import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { spread } from '../../src/outbox/sender.js';

const waits = { firstMs: 1_000, longestMs: 60_000 };
const waitMs = (failures: number, bounds: Backoff, chance: number) =>
  backoffMs(failures, bounds, spread(chance));

it('the wait doubles from the first to the longest', () => {
  expect([1, 2, 3, 6, 7, 50].map((failures) => waitMs(failures, waits, 0))).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
});

it('jitter shortens a wait by a half at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, chance) => {
        const full = waitMs(failures, waits, 0);
        const wait = waitMs(failures, waits, chance);
        expect(wait).toBeLessThanOrEqual(full);
        expect(wait).toBeGreaterThanOrEqual(full / 2);
      },
    ),
  );
});
