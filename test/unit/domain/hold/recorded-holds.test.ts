import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeHold, checkChange, holdView, releaseHold } from '../../../../src/domain/hold/index.js';
import { day, fates, HoldWorld, midnight } from '../../../support/hold-world.js';

const hour = day / 24;
const withoutTexts = (name: string, value: unknown) => (name === 'message' ? undefined : value);
const shown = (value: unknown) => JSON.stringify(value, withoutTexts);
/** Without the marks of its commands, which are never shown. */
function viewOf({ state, now }: HoldWorld) {
  const view = holdView(state, now);
  return shown({ ...view, commands: view.commands.map(({ mark: _, ...command }) => command) });
}

const worlds = fc.record({
  fates: fc.array(fc.constantFrom('taken' as const, 'taken' as const, ...fates), { maxLength: 25 }),
  refusal: fc.constantFrom('REFUSED', 'NOT_FOUND', 'E011', 'ILLEGAL_STATE', 'RATE_LIMITED', 'UNAUTHORIZED'),
  startsIn: fc.constantFrom(0, hour, day),
  unset: fc.subarray([301, 303]),
  unread: fc.subarray([301, 302]),
  reserved: fc.boolean(),
  changedAfter: fc.option(fc.integer({ min: 1, max: 40 })),
  releasedAfter: fc.option(fc.integer({ min: 1, max: 60 })),
});

/**
 * Holds that meet random failures, the same in each run, with their requests, audit and view. A change that is not
 * meant to change behaviour leaves the record as it is; `npx vitest run recorded-holds -u` writes a new one.
 */
it.each(fc.sample(worlds, { seed: 13, numRuns: 60 }).map((given, index) => [index + 1, given] as const))(
  'hold %i does and shows the same as when it was recorded',
  (_, { startsIn, unset, unread, reserved, changedAfter, releasedAfter, ...given }) => {
    const start = midnight + startsIn;
    const world = new HoldWorld({ period: { start, end: start + 2 * day } });
    Object.assign(world, given);
    for (const productId of unset) world.unset.add(productId);
    for (const productId of unread) world.unread.add(productId);
    if (reserved) world.reserve({ start: start + day, end: start + 2 * day + hour });
    const moments = [
      { at: changedAfter, name: 'change' as const },
      { at: releasedAfter, name: 'release' as const },
    ].flatMap(({ at, name }) => (at === null ? [] : [{ at: midnight + at * hour, name }]));
    const record: string[] = [];
    for (const { at, name } of moments.sort((a, b) => a.at - b.at)) {
      world.run(at);
      record.push(`${(world.now - midnight) / 1_000} s: ${viewOf(world)}`);
      if (name === 'release') {
        world.state = releaseHold(world.state, { commandId: 'r-1', by: 'lee', reason: null }, world.now);
        continue;
      }
      const input = { commandId: 'c-1', by: 'lee', end: start + 2 * day + 3 * hour, reason: 'longer' };
      if (checkChange(world.state, input, world.now) === null)
        world.state = changeHold(world.state, input, world.now);
    }
    world.run(start + 4 * day);
    record.push(...world.steps.map(shown), ...world.state.audit.map(shown));
    record.push(`${(world.now - midnight) / 1_000} s: ${viewOf(world)}`);
    expect(record.join('\n')).toMatchSnapshot();
  },
);
