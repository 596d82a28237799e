import { expect, it } from 'vitest';
import { carOf } from '../../../../src/domain/shared/audit.js';

it.each([
  ['its subject', 'car/12', {}, 12],
  ['its data, as a hold does', 'hold/h-1', { carId: 13 }, 13],
  ['its data before its subject', 'car/12', { carId: 13 }, 13],
  ['nothing', 'inbox/17', {}, null],
  ['no id', 'car/12a', {}, null],
  ['an id that is none', 'hold/h-1', { carId: 1.5 }, null],
  ['zero', 'car/0', {}, null],
])('the car of an entry is named by %s', (_, subject, data, car) => {
  expect(carOf({ subject, data })).toBe(car);
});
