import { describe, expect, it } from 'vitest';
import {
  ambiguousFacts,
  type Belief,
  belief,
  isOut,
  isSameBelief,
  isUsed,
  missingFacts,
} from '../../../../src/domain/reservation/belief.js';
import { statusCodes } from '../../../../src/domain/reservation/index.js';
import { hour, origin, Story, whole } from '../../../support/reservation-story.js';

/** What is believed after these events, by a table that ties no status to another unless one is given. */
function believed(play: (story: Story) => unknown, fromStates = {}): Belief {
  const story = new Story({ fromStates });
  play(story);
  return belief(story.state);
}

describe('L16: whether the customer has the car', () => {
  const driving = { driving: { start: origin } };
  const codes = (test: (what: Belief) => boolean, parts = {}) =>
    statusCodes.filter((code) => test(believed((story) => story.updated(code, parts))));

  it('20, 25, 30 and 35 each show that it was used, by themselves; a driving start does at any status', () => {
    expect(codes(isUsed)).toEqual([20, 25, 30, 35]);
    expect(codes(isUsed, driving)).toEqual(statusCodes);
    expect(isUsed(believed(() => undefined))).toBe(false);
  });

  it('it is out until 30 or a terminal', () => {
    expect(codes(isOut)).toEqual([20, 25]);
    expect(codes(isOut, driving)).toEqual([5, 10, 15, 20, 25]);
    const returned = believed((story) => [story.updated(30), story.status(25)]);
    expect(isOut(returned)).toBe(false);
  });
});

it('L05: a reservation lacks its status, its period or its car where nothing reported it', () => {
  const { period, car } = whole;
  const missing = (play: (story: Story) => unknown) => missingFacts(believed(play));
  expect(missing(() => undefined)).toEqual(['status', 'period', 'car']);
  expect(missing((s) => s.status(5))).toEqual(['period', 'car']);
  expect(missing((s) => s.status(5, { period }))).toEqual(['car']);
  expect(missing((s) => s.status(5, { car }))).toEqual(['period']);
  expect(missing((s) => s.carChanged(12, 13))).toEqual(['status', 'period']);
  expect(missing((s) => s.updated(5))).toEqual([]);
});

it('L13: the facts in doubt, by name', () => {
  const twice = believed((story) => {
    story.updated(10, { pickupMemo: 'gate 1' });
    story.updated(10, { pickupMemo: 'gate 2', car: { id: 13, number: null } });
  });
  expect(ambiguousFacts(twice).sort()).toEqual(['car', 'pickupMemo']);
  expect(twice.marks).toEqual(['adopted', 'ambiguous:car', 'ambiguous:pickupMemo']);
  expect(ambiguousFacts(believed((story) => story.updated(10)))).toEqual([]);
});

it('the marks rise, whichever rule set them', () => {
  const { marks } = believed((story) => {
    story.registered({ status: 10, malformed: ['driverPhone'], period: { start: origin, end: origin } });
    story.status(99);
    story.status(15);
    story.status(45);
  });
  expect(marks).toEqual([
    'conflict',
    'malformed:driverPhone',
    'odd-period',
    'spec-violation',
    'terminal-contradiction',
    'unknown-status:99',
  ]);
});

describe('L02: an event changed nothing that is believed', () => {
  const base = believed((story) => story.updated(10));
  const changed = (change: (what: Belief) => object): Belief => ({ ...base, ...change(base) });
  const car = (changes: object) =>
    changed(({ facts }) => ({ facts: { ...facts, car: facts.car && { ...facts.car, ...changes } } }));

  it.each<[string, Belief]>([
    ['the receipt of a fact', car({ at: origin + hour })],
    ['the source of a fact', car({ source: '99' })],
    ['since when a status holds', changed(({ status }) => ({ status: { ...status, since: origin + hour } }))],
    ['equal values of other objects', car({ value: { ...whole.car } })],
  ])('where only this differs: %s', (_, other) => expect(isSameBelief(base, other)).toBe(true));

  it.each<[string, Belief]>([
    ['the status', changed(({ status }) => ({ status: { ...status, code: 15 } }))],
    [
      'a rung that it implies',
      changed(({ status }) => ({ status: { ...status, reached: { 10: 'inferred' } } })),
    ],
    ['a mark', changed(() => ({ marks: ['conflict'] }))],
    ['the value of a fact', car({ value: { id: 13, number: null } })],
    ['the grade of a fact', car({ grade: 'asserted' })],
    ['how often a fact changed', car({ changes: 1 })],
    ['a fact that is not known any more', changed(({ facts }) => ({ facts: { ...facts, period: null } }))],
  ])('and something where this differs: %s', (_, other) => {
    expect(isSameBelief(base, other)).toBe(false);
    expect(isSameBelief(other, base)).toBe(false);
  });
});
