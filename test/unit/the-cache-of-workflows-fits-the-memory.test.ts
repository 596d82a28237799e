import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cachedWorkflows } from '../../src/temporal/worker/cache-size.js';

const GiB = 1024 ** 3;

it('a worker caches one workflow for each 2 MiB of its memory, 4,000 at most: a thousand in a container of 2 GiB', () => {
  expect([0.5, 1, 2, 4, 8, 64].map((memory) => cachedWorkflows(memory * GiB))).toEqual([
    256, 512, 1024, 2048, 4000, 4000,
  ]);
});

it('it caches some whatever memory is reported, and a whole number of them', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true }), (memory) => {
      const count = cachedWorkflows(memory);
      expect(Number.isInteger(count)).toBe(true);
      expect(count).toBeGreaterThanOrEqual(100);
      expect(count).toBeLessThanOrEqual(4_000);
    }),
  );
  expect(cachedWorkflows()).toBeGreaterThanOrEqual(100);
});
