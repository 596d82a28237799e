import { expect, it } from 'vitest';
import { isLate } from '../../../console/design/lateness.js';
import { statusCodes } from '../../../src/domain/reservation/index.js';

it('is late after the start or the end of its period, and not after it was returned or cancelled', () => {
  expect(statusCodes.filter((status) => isLate(-1, status))).toEqual([5, 10, 15, 20, 25]);
  expect(isLate(-1, null)).toBe(false);
  expect(statusCodes.filter((status) => isLate(0, status))).toEqual([]);
});
