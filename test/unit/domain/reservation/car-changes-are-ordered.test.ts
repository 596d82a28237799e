import { expect, it } from 'vitest';
import { minute, origin, Story } from '../../../support/reservation-story.js';

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
  const said = { car: { id: 15, number: null }, contentHash: 'another', eventId: 'again', replay: 1 };
  story.observe({ ...first, ...said });
  expect(story.state.carChanges.map(({ to }) => to.id)).toEqual([15, 14]);
});
