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
  it.each<[string, Play, string]>([
    ['the newest again', (s) => s.updated(10), 'duplicate L01'],
    ['what is known, in other words', (s) => s.updated(10, { contentHash: 'x' }), 'duplicate L02'],
    ['the car that is known', (s) => s.carChanged(12, 12), 'duplicate L02'],
    ['an earlier status that adds a fact', (s) => s.updated(5, { pickupMemo: 'gate 2' }), 'stale L03'],
    ['an earlier status that adds nothing', (s) => s.status(5), 'stale L03'],
    ['the next status', (s) => s.status(15), 'applied L18'],
    ['a status that skips one', (s) => s.status(20), 'applied L04'],
    ['an unknown status', (s) => s.status(99), 'unknown-status L11'],
    ['an unknown status that changes a fact', (s) => s.updated(98, { car: otherCar }), 'unknown-status L11'],
    ['a status that excludes what was reported', (s) => s.status(50), 'conflict L08'],
    ['another end', (s) => s.updated(10, { period: longer }), 'applied L12'],
    ['another end and car', (s) => s.updated(10, { period: longer, car: otherCar }), 'applied L12'],
    ['another car', (s) => s.updated(10, { car: otherCar, companion: { name: 'Lee' } }), 'applied L14'],
    ['a car event to another car', (s) => s.carChanged(12, 13), 'applied L14'],
    ['a car event that only adds a change', (s) => s.carChanged(11, 12), 'stale L13'],
    ['a companion', (s) => s.updated(10, { companion: { name: 'Lee' } }), 'applied L15'],
    ['a parking memo', (s) => s.updated(10, { parking: { memo: 'B2' } }), 'applied L16'],
    [
      'a parking image',
      (s) => s.updated(10, { parking: { imageUrl: 'https://p.example/1' } }),
      'applied L16',
    ],
    ['a parking lot type', (s) => s.updated(10, { parking: { lotType: 1 } }), 'applied L16'],
    ['a driving start', (s) => s.updated(10, { driving: { start: origin } }), 'applied L16'],
    ['a driving end', (s) => s.updated(10, { driving: { end: origin } }), 'applied L16'],
    ['a new memo', (s) => s.updated(10, { pickupMemo: 'gate 2' }), 'applied L18'],
    ['a registration with another status', (s) => s.registered({ status: 10, car: otherCar }), 'applied L06'],
  ])('%s', (_, play, expected) => expect(judged(departed(), play)).toBe(expected));

  it('L13: another value of a fact without a rule of its own', () => {
    const play: Play = (story) => story.updated(10, { pickupMemo: 'gate 2' });
    expect(judged(departed({ pickupMemo: 'gate 1' }), play)).toBe('applied L13');
  });

  it.each<[string, Play, string]>([
    ['a registration', (s) => s.registered(), 'applied L18'],
    ['a registration with another status', (s) => s.registered({ status: 10 }), 'applied L06'],
    ['an update', (s) => s.updated(10), 'applied L05'],
    ['a car event', (s) => s.carChanged(12, 13), 'applied L05'],
  ])('%s as the first event', (_, play, expected) => expect(judged(new Story(), play)).toBe(expected));

  it('L07: a registration after an event, and one after a car event alone', () => {
    const updated = new Story();
    updated.updated(5, { companion: { name: 'Lee' } });
    expect(judged(updated, (s) => s.registered())).toBe('applied L07');
    const changed = new Story();
    changed.carChanged(12, 13);
    expect(judged(changed, (s) => s.registered())).toBe('applied L07');
  });

  it('L22: a callback of what a command of ours did', () => {
    const story = new Story();
    story.registered();
    story.sendAction('dispatch.start', { outcome: 'applied' }, { override: { reason: 'agreed' } });
    expect(judged(story, (s) => s.status(10))).toBe('applied L22');
  });

  it('L10: a status that no legal history contains beside the reported ones, neither of them an end', () => {
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
  it.each<[string, Play, string]>([
    ['adds nothing', (s) => s.status(15), 'duplicate L10'],
    ['adds a fact', (s) => s.status(15, { pickupMemo: 'gate 2' }), 'stale L10'],
    ['is later', (s) => s.status(15, { changedAt: origin + hour }), 'applied L18'],
  ])('L10: %s', (_, play, expected) => expect(judged(setAside(), play)).toBe(expected));
});

describe('L08, L09: an event after the end', () => {
  const cancelled = () => {
    const story = new Story();
    story.registered();
    story.updated(40);
    return story;
  };
  it.each<[string, Play, string]>([
    ['the same end in other words', (s) => s.status(40), 'duplicate L02'],
    ['the same end with a new fact', (s) => s.updated(40, { pickupMemo: 'gate 2' }), 'applied L18'],
    ['the same end with another period', (s) => s.updated(40, { period: longer }), 'applied L12'],
    ['no status, and the same car', (s) => s.carChanged(12, 12), 'duplicate L02'],
    ['no status, and the same car after another', (s) => s.carChanged(11, 12), 'stale L08'],
    ['no status, and another car', (s) => s.carChanged(12, 13), 'after-terminal L08'],
    ['a status of the same history', (s) => s.status(15), 'stale L08'],
    ['a status of no such history', (s) => s.status(20), 'after-terminal L08'],
    ['an end that agrees', (s) => s.status(45), 'after-terminal L09'],
    ['an end that does not', (s) => s.status(35), 'conflict L09'],
    ['an unknown status', (s) => s.status(99), 'unknown-status L11'],
  ])('%s', (_, play, expected) => expect(judged(cancelled(), play)).toBe(expected));

  it('a callback of an end that staff asserted', () => {
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
