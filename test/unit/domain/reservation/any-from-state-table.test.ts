import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusCodes } from '../../../../src/domain/reservation/index.js';
import { canBothBeTrue, impliedBy, leadsTo } from '../../../../src/domain/reservation/statuses.js';
import { policy, Story } from '../../../support/reservation-story.js';

const { fromStates } = policy;

it('L04: a status implies the statuses that every path to it passes, and no other', () => {
  expect(impliedBy(fromStates, 35).sort((a, b) => a - b)).toEqual([5, 10, 15, 20, 30]);
  expect(impliedBy(fromStates, 40)).toEqual([5]);
  expect(impliedBy(fromStates, 5)).toEqual([]);
});

it('L08: a table in which lateness can be reverted (20 from 25) blocks no reservation and infers the same', () => {
  const circle = { ...fromStates, '20': [15, 25] };
  const story = new Story({ fromStates: circle });
  story.registered();
  for (const status of [20, 25, 20, 30]) story.updated(status);
  expect(story.view).toMatchObject({ status: { code: 30 }, marks: [] });
  for (const code of statusCodes) expect(impliedBy(circle, code)).toEqual(impliedBy(fromStates, code));
  expect(leadsTo(circle, 25, 20)).toBe(true);
  expect(canBothBeTrue(circle, 20, 45)).toBe(false);
});

it('L04: statuses that only lead to each other imply nothing', () => {
  expect(impliedBy({ '20': [25], '25': [20] }, 25)).toEqual([]);
});

it('L10: whatever the table of a profile, events are applied and a status is believed', () => {
  const some = fc.subarray([...statusCodes]);
  const tables = fc.dictionary(fc.constantFrom(...statusCodes.map(String)), some);
  fc.assert(
    fc.property(
      tables,
      fc.array(fc.constantFrom(...statusCodes), { minLength: 1, maxLength: 6 }),
      (table, reported) => {
        const story = new Story({ fromStates: table });
        for (const status of reported) story.updated(status);
        expect(reported).toContain(story.view.status.code);
      },
    ),
    { numRuns: 100 },
  );
});
