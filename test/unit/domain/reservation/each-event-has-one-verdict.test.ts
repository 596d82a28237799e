import { describe, expect, it } from 'vitest';
import {
  assertFacts,
  type EventVerdict,
  type ReservationEvent,
} from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, policy, Story, whole } from '../../../support/reservation-story.js';

const longer = { ...whole.period, end: whole.period.end + hour };
const otherCar = { id: 13, number: null };
const asserted = { reason: 'seen', by: 'manager' };

type Play = (story: Story) => EventVerdict;
/** After a registration and an update to 10. */
function departed(parts: Partial<ReservationEvent> = {}): Story {
  const story = new Story();
  story.registered();
  story.updated(10, parts);
  return story;
}
const judged = (story: Story, play: Play) => {
  const { verdict, rule } = play(story);
  return `${verdict} ${rule}`;
};

describe('an event before any end', () => {
  it.each<[string, string, Play]>([
    ['the newest again', 'duplicate L01', (s) => s.updated(10)],
    ['what is known, in other words', 'duplicate L02', (s) => s.updated(10, { contentHash: 'x' })],
    ['the car that is known', 'duplicate L02', (s) => s.carChanged(12, 12)],
    ['an earlier status that adds a fact', 'stale L03', (s) => s.updated(5, { pickupMemo: 'gate 2' })],
    ['an earlier status that adds nothing', 'stale L03', (s) => s.status(5)],
    ['the next status', 'applied L18', (s) => s.status(15)],
    ['a status that skips one', 'applied L04', (s) => s.status(20)],
    ['an unknown status', 'unknown-status L11', (s) => s.status(99)],
    ['an unknown status that changes a fact', 'unknown-status L11', (s) => s.updated(98, { car: otherCar })],
    ['a status that excludes what was reported', 'conflict L08', (s) => s.status(50)],
    ['another end', 'applied L12', (s) => s.updated(10, { period: longer })],
    ['another end and car', 'applied L12', (s) => s.updated(10, { period: longer, car: otherCar })],
    ['another car', 'applied L14', (s) => s.updated(10, { car: otherCar, companion: { name: 'Lee' } })],
    ['a car event to another car', 'applied L14', (s) => s.carChanged(12, 13)],
    ['a car event that only adds a change', 'stale L13', (s) => s.carChanged(11, 12)],
    ['a companion', 'applied L15', (s) => s.updated(10, { companion: { name: 'Lee' } })],
    ['a parking memo', 'applied L16', (s) => s.updated(10, { parking: { memo: 'B2' } })],
    [
      'a parking image',
      'applied L16',
      (s) => s.updated(10, { parking: { imageUrl: 'https://p.example/1' } }),
    ],
    ['a parking lot type', 'applied L16', (s) => s.updated(10, { parking: { lotType: 1 } })],
    ['a driving start', 'applied L16', (s) => s.updated(10, { driving: { start: origin } })],
    ['a driving end', 'applied L16', (s) => s.updated(10, { driving: { end: origin } })],
    ['a new memo', 'applied L18', (s) => s.updated(10, { pickupMemo: 'gate 2' })],
    ['a registration with another status', 'applied L06', (s) => s.registered({ status: 10, car: otherCar })],
  ])('%s is judged %s', (_, expected, play) => expect(judged(departed(), play)).toBe(expected));

  it('another value of a fact without a rule of its own is judged applied L13', () => {
    const play: Play = (story) => story.updated(10, { pickupMemo: 'gate 2' });
    expect(judged(departed({ pickupMemo: 'gate 1' }), play)).toBe('applied L13');
  });

  it.each<[string, string, Play]>([
    ['a registration', 'applied L18', (s) => s.registered()],
    ['a registration with another status', 'applied L06', (s) => s.registered({ status: 10 })],
    ['an update', 'applied L05', (s) => s.updated(10)],
    ['a car event', 'applied L05', (s) => s.carChanged(12, 13)],
  ])('%s as the first event is judged %s', (_, expected, play) =>
    expect(judged(new Story(), play)).toBe(expected),
  );

  it('a registration after an event, also after a car event alone, is judged applied L07', () => {
    const updated = new Story();
    updated.updated(5, { companion: { name: 'Lee' } });
    expect(judged(updated, (s) => s.registered())).toBe('applied L07');
    const changed = new Story();
    changed.carChanged(12, 13);
    expect(judged(changed, (s) => s.registered())).toBe('applied L07');
  });

  it('a callback of what a command of ours did is judged applied L22', () => {
    const story = new Story();
    story.registered();
    story.sendAction('dispatch.start', { outcome: 'applied' }, { override: { reason: 'agreed' } });
    expect(judged(story, (s) => s.status(10))).toBe('applied L22');
  });

  it('a status that no legal history contains beside the reported ones, none of them an end, is judged conflict L10', () => {
    const story = new Story({ fromStates: { ...policy.fromStates, '15': [5] } });
    story.registered();
    story.updated(10);
    expect(judged(story, (s) => s.status(15))).toBe('conflict L10');
  });
});

describe('an event of a status that a decision set aside', () => {
  const setAside = () => {
    const story = departed();
    story.at(origin + minute).updated(15);
    story.take(assertFacts(story.state, { status: 10, ...asserted }, story.now));
    return story;
  };
  it.each<[string, string, Play]>([
    ['adds nothing', 'duplicate L10', (s) => s.status(15)],
    ['adds a fact', 'stale L10', (s) => s.status(15, { pickupMemo: 'gate 2' })],
    ['is later', 'applied L18', (s) => s.status(15, { changedAt: origin + hour })],
  ])('L10: one that %s is judged %s', (_, expected, play) => expect(judged(setAside(), play)).toBe(expected));
});

describe('L08, L09: an event after the end', () => {
  const cancelled = () => {
    const story = new Story();
    story.registered();
    story.updated(40);
    return story;
  };
  it.each<[string, string, Play]>([
    ['the same end in other words', 'duplicate L02', (s) => s.status(40)],
    ['the same end with a new fact', 'applied L18', (s) => s.updated(40, { pickupMemo: 'gate 2' })],
    ['the same end with another period', 'applied L12', (s) => s.updated(40, { period: longer })],
    ['no status, and the same car', 'duplicate L02', (s) => s.carChanged(12, 12)],
    ['no status, and the same car after another', 'stale L08', (s) => s.carChanged(11, 12)],
    ['no status, and another car', 'after-terminal L08', (s) => s.carChanged(12, 13)],
    ['a status of the same history', 'stale L08', (s) => s.status(15)],
    ['a status of no such history', 'after-terminal L08', (s) => s.status(20)],
    ['an end that agrees', 'after-terminal L09', (s) => s.status(45)],
    ['an end that does not', 'conflict L09', (s) => s.status(35)],
    ['an unknown status', 'unknown-status L11', (s) => s.status(99)],
  ])('%s is judged %s', (_, expected, play) => expect(judged(cancelled(), play)).toBe(expected));

  it('a callback of an end that staff asserted is judged applied L22', () => {
    const story = departed();
    story.take(assertFacts(story.state, { status: 40, ...asserted }, story.now));
    expect(judged(story, (s) => s.status(40))).toBe('applied L22');
  });

  it('of several ends the one that is believed is the same end', () => {
    const story = cancelled();
    story.status(45);
    expect(judged(story, (s) => s.updated(40, { pickupMemo: 'gate 2' }))).toBe('applied L18');
    expect(judged(story, (s) => s.updated(45, { pickupMemo: 'gate 3' }))).toBe('after-terminal L09');
  });
});
