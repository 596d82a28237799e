import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, type Fate, fates, HoldWorld, midnight } from '../../../support/hold-world.js';

const start = midnight;
const end = midnight + 2 * day;
const sold = { 301: 'Y', 302: 'N', 303: 'Y' };
const saleOf = ({ sale }: HoldWorld) => Object.fromEntries(sale);

/** A failure of each kind at each request in turn: the requests of an undisturbed course, counted. */
function everyFailure(play: (world: HoldWorld) => void): { at: number; fate: Fate }[] {
  const counted = new HoldWorld();
  play(counted);
  const { requests } = counted;
  return Array.from({ length: requests }, (_, at) => fates.slice(1).map((fate) => ({ at, fate }))).flat();
}

function failing({ at, fate }: { at: number; fate: Fate }): HoldWorld {
  const world = new HoldWorld();
  world.fates = [...Array<Fate>(at).fill('taken'), fate];
  return world;
}

/** Nothing of the hold is in place, as far as it was ours to undo. */
function expectReleased(world: HoldWorld): void {
  expect(world.own.filter((entry) => entry.end > world.now)).toEqual([]);
  expect(saleOf(world)).toEqual(sold);
  expect(world.state.end).not.toBeNull();
}
/** The car is out of service, once. */
function expectHeld(world: HoldWorld): void {
  expect(world.own).toMatchObject([{ start, end }]);
  expect(saleOf(world)).toEqual({ 301: 'N', 302: 'N', 303: 'N' });
}
const isShown = ({ facts }: HoldWorld) => facts.attention.length > 0;

describe('F06: whatever happens to one request, a hold is placed completely, or nothing of it is left', () => {
  const place = (world: HoldWorld) => void world.run(midnight + day);
  it.each(everyFailure(place))('request $at is $fate', (failure) => {
    const world = failing(failure);
    place(world);
    if (world.state.end === 'refused') expectReleased(world);
    else {
      expectHeld(world);
      expect(world.memos.length === 1 || isShown(world)).toBe(true);
    }
  });
});

describe('F10: whatever happens to one request, a released hold is undone once', () => {
  const placeAndRelease = (world: HoldWorld) => {
    world.run(midnight + day);
    world.release();
    world.run(midnight + 2 * day);
  };
  it.each(everyFailure(placeAndRelease))('request $at is $fate', (failure) => {
    const world = failing(failure);
    placeAndRelease(world);
    expectReleased(world);
  });
});

describe('F10: whatever happens to one request, a hold that ends by itself restores the sale status', () => {
  const whole = (world: HoldWorld) => void world.run(end + day);
  it.each(everyFailure(whole))('request $at is $fate', (failure) => {
    const world = failing(failure);
    whole(world);
    expectReleased(world);
    if (world.state.end === 'ended') expect(world.own).toMatchObject([{ start, end }]);
  });
});

describe('F10, F11: released between any two steps, whatever happened to the last request, a hold is undone', () => {
  const steps = new HoldWorld().run(midnight + day).steps.length;
  const moments = Array.from({ length: steps + 1 }, (_, after) =>
    fates.map((fate) => ({ after, fate })),
  ).flat();
  it.each(moments)('after $after steps, the last request is $fate', ({ after, fate }) => {
    const undisturbed = new HoldWorld().run(midnight + day, after);
    const world = failing({ at: Math.max(undisturbed.requests - 1, 0), fate }).run(midnight + day, after);
    if (world.state.end !== null) return expectReleased(world);
    world.release();
    world.run(midnight + 2 * day);
    expectReleased(world);
  });
});

it('F10: a hold whose entry was deleted on the web site is released all the same', () => {
  const world = new HoldWorld().run(midnight + day);
  world.entries = [];
  world.release();
  world.run(world.now + 60_000);
  expectReleased(world);
  expect(world.facts).toMatchObject({ state: 'released', attention: [] });
});

it.each([1, 2, 3, 4, 5])('F10: after %i steps of its release nothing of it needs a person', (steps) => {
  const world = new HoldWorld().run(midnight + day);
  world.entries = [];
  world.release();
  world.run(world.now + 60_000, world.steps.length + steps);
  expect(world.facts.attention).toEqual([]);
});

it('F06, F12: after any sequence of failures a hold is held, released, or shown with what is in place', () => {
  const chances = fc.array(fc.constantFrom(...fates), { maxLength: 60 });
  const releasedAfter = fc.option(
    fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 3 * day })),
    { nil: undefined },
  );
  fc.assert(
    fc.property(chances, releasedAfter, (met, releaseAfter) => {
      const world = new HoldWorld();
      world.fates = [...met];
      if (releaseAfter !== undefined) {
        world.run(midnight + releaseAfter);
        if (world.state.end === null) world.release();
      }
      world.run(end + 10 * day);
      expectReleased(world);
      expect(world.own.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

it('F12: while the platform refuses everything, the hold shows what fails and what is in place', () => {
  const world = new HoldWorld();
  world.run(midnight + day);
  world.fates = Array<Fate>(30).fill('refused');
  world.release();
  world.run(world.now + 10 * 60_000);
  expect(world.facts).toMatchObject({ state: 'attention', open: true });
  expect(world.facts.attention).toContain('sale-not-restored');
});

it('F07: a request is sent again only after two reads show that the lost one did nothing', () => {
  const world = new HoldWorld();
  world.fates = ['taken', 'vanished'];
  world.run(midnight + day);
  const names = world.steps.map((step) => step.do);
  expect(names.slice(1, 5)).toEqual(['add-entry', 'read-schedules', 'read-schedules', 'add-entry']);
});

it('F07: E011 after a lost answer is our own entry, and the hold is placed', () => {
  const world = new HoldWorld();
  // the entry comes to be only after the second look
  world.fates = ['taken', 'late'];
  world.run(midnight + day);
  expect(world.done('add-entry')).toHaveLength(2);
  expectHeld(world);
});
