import { expect, it } from 'vitest';
import { details } from '../../../../src/domain/reservation/details.js';
import {
  arrivalOf,
  type Claim,
  claim,
  type Fact,
  withdraw,
} from '../../../../src/domain/reservation/facts.js';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { day, hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const { period } = whole;
const moved = { start: period.start + hour, end: period.end + hour };

function read(story: Story, candidates: lifecycle.ScheduleEntry[], confirmed = true): void {
  const evidence = { at: story.now, entry: null, candidates, confirmed };
  story.take(lifecycle.corroborate(story.state, evidence, story.now));
}
function reportedTwice(): Story {
  const story = new Story();
  story.registered();
  story.updated(10);
  return story;
}

it.each<[string, Partial<Claim<string>>, string, boolean]>([
  ['alone is withdrawn', {}, 'c', true],
  ['is the same value, and stays', {}, 'b', false],
  ['is of another event, and stays', { source: '3' }, 'c', false],
  ['another event repeated later, and stays', { heardAt: origin + hour }, 'c', false],
  ['is a command’s, and stays', { grade: 'commanded' }, 'c', false],
])(
  'L13: a value that an event reported, which is read again as another value, %s',
  (_, changes, again, isWithdrawn) => {
    const made = { grade: 'observed' as const, at: origin, changedAt: null };
    const first = claim(null, 10, { ...made, value: 'a', source: '1', arrival: 1 });
    const both = claim(first, 10, { ...made, value: 'b', source: '2', arrival: 2 });
    const fact: Fact<string> = {
      ...both,
      claims: both.claims.map((one) => (one.value === 'b' ? { ...one, ...changes } : one)),
    };
    expect(withdraw(fact, '2', again)).toEqual(isWithdrawn ? first : fact);
  },
);

it('L13: a fact whose only value is withdrawn has none', () => {
  const made = { grade: 'observed' as const, at: origin, changedAt: null, source: '1', arrival: 1 };
  expect(withdraw(claim(null, 10, { ...made, value: 'a' }), '1', 'b')).toBeNull();
});

it.each<[string, number, number, number]>([
  ['before a later one', 9, 7, 2.5],
  ['before one of its moment that was stored after it', 10, 6, 2.5],
  ['after one of its moment that was stored before it', 10, 8, 5],
  ['after what it reported itself', 10, 7, 5],
  ['after an earlier one', 11, 7, 5],
])('L13: a report that is read late is placed %s', (_, receivedAt, inboxId, arrival) => {
  expect(arrivalOf([{ arrival: 3, heardAt: 10, source: '7' }], { receivedAt, inboxId }, 5)).toBe(arrival);
});

it('L13: a report that is read late is placed before all that were received after it', () => {
  const later = [3, 4, 5].map((arrival) => ({ arrival, heardAt: 10 * arrival, source: '7' }));
  const at = (receivedAt: number) => arrivalOf(later.toReversed(), { receivedAt, inboxId: 7 }, 9);
  expect([29, 30, 40, 50].map(at)).toEqual([2.5, 3.5, 4.5, 9]);
});

it('L13, L19: an item about values in doubt clears when the schedule shows which one is present', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { period: moved });
  story.at(origin + story.state.policy.ambiguousMs);
  expect(story.kinds).toContain('ambiguous');
  read(story, [{ scheduleId: 77, carId: 12, ...period }], false);
  expect(story.kinds).not.toContain('ambiguous');
});

it('L13: a car event back to an earlier car counts where it leads from the car of the newest status', () => {
  const story = (from: number) => {
    const one = new Story();
    one.registered();
    one.updated(10, { car: { id: 13, number: null } });
    one.carChanged(from, 12);
    return one.view;
  };
  expect(story(13)).toMatchObject({ car: { id: 12, changes: 1 }, marks: [] });
  expect(story(14)).toMatchObject({ car: { id: 13, changes: 2 }, marks: [] });
});

it('L13: where a car event names one of the cars that dated updates named, and leads from no other, both are in doubt', () => {
  const story = new Story();
  story.updated(10, { changedAt: origin + 1 });
  story.updated(10, { changedAt: origin + 2, car: { id: 13, number: null } });
  expect(story.view).toMatchObject({ car: { id: 13 }, marks: ['adopted'] });
  story.carChanged(14, 12, { changedAt: origin + 3 });
  expect(story.view.marks).toContain('ambiguous:car');
});

it('L14: a car that an event names by its id alone has the number that another report gave it', () => {
  const story = new Story();
  story.updated(10);
  story.carChanged(12, 13, { changedAt: origin + 1 });
  expect(story.view.car).toMatchObject({ id: 13, number: null });
  story.carChanged(13, 12, { changedAt: origin + 2 });
  expect(story.view.car).toMatchObject({ id: 12, number: whole.car.number });
});

it('L13: an entry decides which car is the present one where a car event alone named it', () => {
  const story = new Story();
  story.updated(10);
  story.carChanged(16, 14, { changedAt: origin + 1 });
  story.carChanged(15, 13, { changedAt: origin + 2 });
  expect(story.view.marks).toContain('ambiguous:car');
  const stranger = { scheduleId: 5, carId: 99, ...period };
  read(story, [stranger, { scheduleId: 77, carId: 13, ...period }], false);
  expect(story.view.marks).not.toContain('ambiguous:car');
  expect(story.view.car).toMatchObject({ id: 13 });
});

it('L13: an entry of a car that nothing named does not decide', () => {
  const story = new Story();
  story.updated(10);
  story.carChanged(15, 13);
  read(story, [{ scheduleId: 5, carId: 99, ...period }], false);
  expect(story.view.marks).toContain('ambiguous:car');
});

it.each<[string, Partial<lifecycle.ReservationEvent>]>([
  ['period', { period: moved }],
  ['car', { car: { id: 13, number: null } }],
])(
  'L19: a %s reported after the reading is not compared with it, one of the same moment is',
  (_, changes) => {
    const kinds = (reportedAt: number) => {
      const story = reportedTwice().at(reportedAt);
      story.observe(story.event('update', { status: 10, ...changes }));
      const evidence = { at: origin + minute, entry: null, candidates: [], confirmed: true };
      story.take(lifecycle.corroborate(story.state, evidence, story.now));
      return story.kinds;
    };
    expect(kinds(origin + minute)).toEqual(['schedule-missing']);
    expect(kinds(origin + minute + 1)).toEqual([]);
  },
);

it('L48: an item is shown since its cause first held, however often the cause is found again', () => {
  const story = reportedTwice().at(origin + minute);
  read(story, []);
  const [first] = story.view.attention;
  read(story.at(origin + hour), []);
  expect(story.view.attention).toEqual([first]);
  expect(story.state.attention[0]?.causes).toEqual({ entry: origin + minute });
});

it('L01: an event that is read again is not the newest of its status, unless none of its status was read', () => {
  const replayed = (story: Story, parts: Partial<lifecycle.ReservationEvent>) =>
    story.observe({ ...story.event('update', { status: 10, ...whole, ...parts }), replay: 1 });
  const repeated = (story: Story, contentHash: string) =>
    story.updated(10, { contentHash, pickupMemo: 'gate 2' }).verdict;
  const before = new Story();
  before.updated(10, { contentHash: 'newest' });
  replayed(before, { contentHash: 'older', period: moved });
  expect(repeated(before, 'older')).not.toBe('duplicate');
  const alone = new Story();
  replayed(alone, { contentHash: 'only' });
  expect(repeated(alone, 'only')).toBe('duplicate');
});

it('L27: the steps that an override left out are waived once the platform accepts it, not by its refusal', () => {
  const override = { reason: 'agreed by phone' };
  const completed = (answer: lifecycle.Answer) => {
    const story = new Story();
    story.registered();
    story.updated(30);
    story.sendAction('recall.carImage', answer, { override });
    return story.refusal('recall.complete')?.code ?? null;
  };
  expect(completed({ outcome: 'rejected', code: 'E500', message: 'no' })).toBe('OUT_OF_ORDER');
  expect(completed({ outcome: 'applied' })).toBeNull();
});

it('the details show a fact in doubt, and no marks where there are none', () => {
  const story = reportedTwice();
  const shown = () => details(story.state, story.now);
  expect(shown()).not.toContain('Marks');
  story.at(origin + minute).updated(10, { period: { ...period, end: period.end + day } });
  expect(shown()).toContain('Marks: ambiguous:period');
});

it('L13: what a person asserts counts at the present status, or at that of the fact where this is later', () => {
  const rung = (reportedAt: number) => {
    const story = new Story();
    story.registered();
    story.updated(20);
    const known = story.state.facts.period;
    const facts = { ...story.state.facts, period: known && { ...known, rung: reportedAt } };
    const asserted = { startAt: moved.start, endAt: moved.end, reason: 'called', by: 'manager' };
    return lifecycle.assertFacts({ ...story.state, facts }, asserted, story.now).state.facts.period?.rung;
  };
  expect([0, 5, 20, 30].map(rung)).toEqual([20, 20, 20, 30]);
});

it('L14: the number of a car is that of any report about it, where the one that counts has none', () => {
  const story = new Story();
  story.updated(10);
  const named = { id: 13, number: '34나5678' };
  for (const [from, car] of [
    [11, { id: 12, number: whole.car.number }],
    [12, named],
  ] as const)
    story.observe(story.event('car', { previousCarId: from, car }));
  story.updated(10, { car: { id: 13, number: null } });
  expect(story.view.car).toMatchObject(named);
});
