import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ratesOf } from '../../src/temporal/worker/rates.js';

it('PLATFORM_RATE is the sum of what all queues may start: a fifth for bookings, up to a fifth and 20 for scans, the rest for calls', () => {
  expect(ratesOf(50)).toEqual({ scans: 10, others: { bookings: 10, platform: 30 } });
  expect(ratesOf(500)).toEqual({ scans: 20, others: { bookings: 100, platform: 380 } });
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 10_000, noNaN: true }), (perSecond) => {
      const { scans, others = { bookings: 0, platform: 0 } } = ratesOf(perSecond);
      expect(scans + others.bookings + others.platform).toBeCloseTo(perSecond, 6);
      expect(Math.min(scans, others.bookings, others.platform)).toBeGreaterThan(0);
    }),
  );
});

it('without PLATFORM_RATE scans alone are limited', () => {
  expect(ratesOf(undefined)).toEqual({ scans: 20 });
});
