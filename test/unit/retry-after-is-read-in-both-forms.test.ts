import { expect, it } from 'vitest';
import { retryAfterMs } from '../../src/platform/client/retry-after.js';

const now = Date.UTC(2026, 10, 21, 9, 0, 0);

it('Retry-After is read as seconds', () => {
  expect(retryAfterMs('0', now)).toBe(0);
  expect(retryAfterMs(' 120 ', now)).toBe(120_000);
  expect(retryAfterMs(['3', '9'], now)).toBe(3000);
});

it('Retry-After is read as an HTTP-date, counted from now; a past date is no wait', () => {
  expect(retryAfterMs('Sat, 21 Nov 2026 09:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
});

it('any other Retry-After is no wait', () => {
  for (const header of [undefined, '', 'soon', '-5', '1.5', '99999999999999999999', '2026-11-21', 'Xyz'])
    expect(retryAfterMs(header, now)).toBeUndefined();
});
