import { expect, it } from 'vitest';
import { changeHold, decideHold, holdView, newPeriod } from '../../../../src/domain/hold/index.js';
import { day, type Fate, HoldWorld, midnight } from '../../../support/hold-world.js';

const second = 1_000;

/** Runs until just before the next step of this kind. */
function before(world: HoldWorld, step: string): HoldWorld {
  for (let count = 0; count < 50; count++) {
    const next = decideHold(world.state, world.now).step;
    if (next.do === step) return world;
    world.run(midnight + day, world.steps.length + 1);
  }
  throw new Error(`no ${step}`);
}
function refusing(world: HoldWorld, code: string, ...fates: Fate[]): HoldWorld {
  world.refusal = code;
  world.fates = fates;
  return world;
}

it('F08: where the car number shows nothing in the way, the schedule is read once more without it', () => {
  const world = refusing(before(new HoldWorld(), 'add-entry'), 'E011', 'refused').run(midnight + day);
  expect(world.done('read-schedules').map(({ carNumber }) => carNumber)).toEqual(['car', null]);
  expect(world.state.refused).toMatchObject({ code: 'E011', inTheWay: [] });
});

it('F08: where the car number shows what is in the way, the schedule is read once', () => {
  const world = before(new HoldWorld(), 'add-entry');
  world.reserve({ start: midnight + day, end: midnight + 3 * day });
  world.run(midnight + day);
  expect(world.done('read-schedules')).toHaveLength(1);
  expect(world.state.refused).toMatchObject({ code: 'E011', inTheWay: [{ type: 'R' }] });
});

it('F03: a product that was deleted when it is read is not part of the hold', () => {
  const world = refusing(before(new HoldWorld(), 'look-in-products'), 'NOT_FOUND', 'refused').run();
  const { sale, attention, state } = holdView(world.state, world.now);
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
  world.state = changeHold(world.state, { commandId: 'c-1', by: 'lee', end }, world.now);
  world.run(world.now + day / 2);
  expect(world.own).toMatchObject([{ start: midnight, end }]);
  expect(world.state).toMatchObject({ period: { start: midnight, end }, reason: 'maintenance' });
});

it('F12: a memo that is written at a later attempt leaves no problem', () => {
  const world = refusing(before(new HoldWorld(), 'write-memo'), 'RATE_LIMITED', 'refused').run(
    midnight + day,
  );
  expect(world.memos).toHaveLength(1);
  expect(world.state.troubles).toEqual({});
});

it('F01: a period that ends now is over', () => {
  expect(newPeriod({ start: midnight - second, end: midnight }, midnight)).toMatchObject({
    code: 'HOLD_IN_PAST',
  });
  expect(newPeriod({ start: midnight - second, end: midnight + second }, midnight)).toEqual({
    start: midnight,
    end: midnight + second,
  });
});
