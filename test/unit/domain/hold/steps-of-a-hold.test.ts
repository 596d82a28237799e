import { expect, it } from 'vitest';
import { day, HoldWorld, midnight } from '../../../support/hold-world.js';

it('F08: where the car number shows nothing in the way, the schedule is read once more without it', () => {
  const world = new HoldWorld()
    .runTo('add-entry')
    .refusing('E011', 'refused')
    .run(midnight + day);
  expect(world.done('read-schedules').map(({ carNumber }) => carNumber)).toEqual(['car', null]);
  expect(world.state.refused).toMatchObject({ code: 'E011', inTheWay: [] });
});

it('F08: where the car number shows what is in the way, the schedule is read once', () => {
  const world = new HoldWorld().runTo('add-entry');
  world.reserve({ start: midnight + day, end: midnight + 3 * day });
  world.run(midnight + day);
  expect(world.done('read-schedules')).toHaveLength(1);
  expect(world.state.refused).toMatchObject({ code: 'E011', inTheWay: [{ type: 'R' }] });
});

it('F03: a product that was deleted when it is read is not part of the hold', () => {
  const world = new HoldWorld().runTo('look-in-products').refusing('NOT_FOUND', 'refused').run();
  const { sale, attention, state } = world.view;
  expect(sale.map(({ productId }) => productId)).toEqual([302, 303]);
  expect({ attention, state, of301: world.sale.get(301) }).toEqual({
    attention: [],
    state: 'active',
    of301: 'Y',
  });
});

it('F05: a change names only what changes', () => {
  const world = new HoldWorld().run(midnight + day);
  const end = midnight + 3 * day;
  world.change({ end });
  world.run(world.now + day / 2);
  expect(world.own).toMatchObject([{ start: midnight, end }]);
  expect(world.state).toMatchObject({ period: { start: midnight, end }, reason: 'maintenance' });
});

it('F12: a memo that is written at a later attempt leaves no problem', () => {
  const world = new HoldWorld()
    .runTo('write-memo')
    .refusing('RATE_LIMITED', 'refused')
    .run(midnight + day);
  expect(world.memos).toHaveLength(1);
  expect(world.state.troubles).toEqual({});
});
