import { expect, it } from 'vitest';
import { currentCar } from '../../../../src/domain/reservation/car.js';
import { assertFacts, corroborate } from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

it('L13: a chain of car changes ends at its last car, whatever the order of the events', () => {
  const chain = [
    [12, 13],
    [13, 14],
    [14, 15],
  ] as const;
  for (const order of [chain, chain.toReversed(), [chain[1], chain[2], chain[0]]]) {
    const story = new Story();
    story.registered();
    for (const [from, to] of order) story.carChanged(from ?? 0, to ?? 0);
    expect(story.view.car).toMatchObject({ id: 15, changes: 3 });
    expect(story.view.marks).toEqual([]);
  }
});

it('L13: dates order car changes only where each one has a date', () => {
  const story = new Story();
  story.registered();
  story.carChanged(12, 13, { changedAt: origin + minute });
  story.carChanged(13, 14);
  expect(story.view.car?.id).toBe(14);
});

it('L13: where each car change has a date the latest one counts, whatever the chain', () => {
  const story = new Story();
  story.registered();
  story.carChanged(13, 12, { changedAt: origin + 2 * minute });
  story.carChanged(12, 13, { changedAt: origin + minute });
  expect(story.view.car?.id).toBe(12);
  expect(story.view.marks).toEqual([]);
});

it('L13: a car change dated before the rung at which updates named the car is older than these', () => {
  const story = new Story();
  story.registered();
  story.updated(10, { changedAt: origin + 2 * minute });
  story.carChanged(12, 13, { changedAt: origin + minute });
  expect(story.view.car?.id).toBe(12);
  story.carChanged(12, 14, { changedAt: origin + 3 * minute });
  expect(story.view.car?.id).toBe(14);
});

it('L13: a replayed car change that reads as another one keeps its place', () => {
  const story = new Story();
  story.registered();
  const first = story.event('car', { previousCarId: 12, car: { id: 13, number: null } });
  story.observe(first);
  story.carChanged(13, 14);
  const again = { car: { id: 15, number: null }, contentHash: 'another', eventId: 'again', replay: 1 };
  story.observe({ ...first, ...again });
  expect(story.state.carChanges.map(({ to }) => to.id)).toEqual([15, 14]);
});

const car = (id: number) => ({ car: { id, number: null } });
/** What is believed of the car: its id, since when it is in doubt, and how often it changed. */
function believed(
  play: (story: Story) => void,
): [id?: number, inDoubtSince?: number | null, changes?: number] {
  const story = new Story();
  play(story);
  const found = currentCar(story.state);
  return found === null ? [] : [found.value.id, found.ambiguousSince, found.changes];
}

it.each<[string, (story: Story) => void, ReturnType<typeof believed>]>([
  ['nothing named a car', (s) => s.status(10), []],
  ['an event alone names both cars', (s) => s.carChanged(12, 13), [13, null, 1]],
  ['an event alone names the new car', (s) => s.observe(s.event('car', car(13))), [13, null, 0]],
  [
    'an event leads from the car of an update',
    (s) => [s.updated(10), s.at(origin + minute).carChanged(12, 13)],
    [13, null, 1],
  ],
  [
    'an event leads elsewhere, and came after the update',
    (s) => [s.updated(10), s.at(origin + minute).carChanged(14, 13)],
    [13, origin + minute, 2],
  ],
  [
    'an event leads elsewhere, and came before the update',
    (s) => [s.carChanged(14, 13), s.at(origin + minute).updated(10)],
    [12, origin + minute, 2],
  ],
  [
    'two chains end at two cars: the updates count',
    (s) => [s.updated(10), s.carChanged(12, 13), s.carChanged(14, 15)],
    [12, null, 3],
  ],
  [
    'two chains end at one car',
    (s) => [s.updated(10), s.carChanged(12, 15), s.carChanged(14, 15)],
    [15, null, 2],
  ],
  [
    'the events go in a circle: the updates count',
    (s) => [s.updated(10), s.carChanged(12, 13), s.carChanged(13, 12)],
    [12, null, 1],
  ],
  [
    'the last of dated events counts',
    (s) => [
      s.updated(10),
      s.carChanged(12, 13, { changedAt: origin + 2 }),
      s.carChanged(13, 12, { changedAt: origin + 1 }),
    ],
    [13, null, 1],
  ],
  [
    'dated events of one instant lead to two cars: the updates count',
    (s) => [
      s.updated(10),
      s.carChanged(12, 13, { changedAt: origin + 1 }),
      s.carChanged(12, 14, { changedAt: origin + 1 }),
    ],
    [12, null, 2],
  ],
  [
    'an event leads to a car that updates of an earlier status named',
    (s) => [s.registered(), s.updated(10, car(13)), s.at(origin + minute).carChanged(14, 12)],
    [13, null, 2],
  ],
  [
    'an event leads to a car that an update of this status named too',
    (s) => [s.updated(10), s.updated(10, car(13)), s.at(origin + minute).carChanged(14, 12)],
    [13, origin, 2],
  ],
  [
    'a chain leads from one of two cars of this status to a third',
    (s) => [s.updated(10), s.updated(10, car(13)), s.at(origin + minute).carChanged(12, 14)],
    [14, origin + minute, 2],
  ],
])('L13, L14: which car is believed: %s', (_, play, expected) => {
  expect(believed(play)).toEqual(expected);
});

it.each([
  ['before it: the update counts', origin - 1, 12],
  ['at its instant: the event counts', origin, 13],
  ['after it: the event counts', origin + 1, 13],
  ['at no known instant: the event counts', undefined, 13],
])('L13: an event dated against the status at which updates named the car, %s', (_, changedAt, id) => {
  const dated = changedAt === undefined ? {} : { changedAt };
  const play = (reached: object) => (story: Story) => {
    story.updated(10, reached);
    story.carChanged(12, 13, dated);
  };
  expect(believed(play({ changedAt: origin }))[0]).toBe(id);
  expect(believed(play({}))[0]).toBe(13);
});

it('L13: an event dated before another status than that of the updates that named the car counts', () => {
  expect(
    believed((story) => {
      story.updated(10);
      story.status(15, { changedAt: origin + hour });
      story.carChanged(12, 13, { changedAt: origin });
    })[0],
  ).toBe(13);
});

it('L14: the car of an event names the event, its receipt and the number that any report gave it', () => {
  const story = new Story();
  story.observe(story.event('car', { previousCarId: 12, car: { id: 13, number: '34나5678' }, inboxId: 70 }));
  story.at(origin + minute);
  story.observe(story.event('car', { previousCarId: 13, car: { id: 14, number: null }, inboxId: 71 }));
  expect(currentCar(story.state)).toEqual({
    value: { id: 14, number: null },
    grade: 'observed',
    source: '71',
    at: origin + minute,
    ambiguousSince: null,
    changes: 2,
  });
  story.observe(story.event('car', { previousCarId: 14, car: { id: 13, number: null }, changedAt: origin }));
  story.observe(story.event('car', { previousCarId: 14, car: { id: 15, number: '78라1234' } }));
  story.updated(10, { car: { id: 15, number: null } });
  expect(currentCar(story.state)?.value).toEqual({ id: 15, number: '78라1234' });
});

it('L19: the entry of the schedule corroborates a car that staff asserted, also where an event leads to it', () => {
  const story = new Story();
  const asserted = { carId: 13, reason: 'seen', by: 'manager' };
  story.take(assertFacts(story.state, asserted, story.now));
  story.carChanged(12, 13);
  const entry = { scheduleId: 77, carId: 13, ...whole.period };
  const evidence = { at: origin + minute, entry, candidates: [], confirmed: true };
  story.take(corroborate(story.state, evidence, story.now));
  expect(currentCar(story.state)).toMatchObject({ value: { id: 13 }, grade: 'corroborated', source: '77' });
});

it('L14: the number of a car is that of the report that counts, where it has one', () => {
  const story = new Story();
  story.observe(story.event('car', { previousCarId: 12, car: { id: 13, number: '34나5678' } }));
  story.updated(10, { car: { id: 13, number: '34나9999' } });
  expect(currentCar(story.state)?.value).toEqual({ id: 13, number: '34나9999' });
});
