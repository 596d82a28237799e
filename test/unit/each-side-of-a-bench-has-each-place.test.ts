import { expect, it } from 'vitest';
import { rotateSides } from '../../bench/rotate-sides.js';

it.each([{ sides: ['product', 'floor'] }, { sides: ['product', 'compared', 'floor'] }])(
  'in as many rounds as there are sides ($sides.length), each side has each place once',
  ({ sides }) => {
    const rounds = sides.map((_, index) => rotateSides(sides, index + 1));
    for (const place of sides.keys())
      expect(rounds.map((order) => order[place]).sort()).toEqual(sides.toSorted());
  },
);

it('the rounds after that begin again', () => {
  expect(rotateSides(['product', 'compared', 'floor'], 4)).toEqual(['product', 'compared', 'floor']);
});
