import { describe, expect, it } from 'vitest';
import { assertFacts, type ReservationEvent } from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const memo = { pickupMemo: 'gate 2' };
const car = (id: number) => ({ car: { id, number: null } });

describe('L06, L07, L10, L11: the status at which the values of an event count', () => {
  const rung = (play: (story: Story) => unknown) => {
    const story = new Story();
    play(story);
    return story.state.facts.pickupMemo?.rung;
  };
  it.each<[string, number, (story: Story) => unknown]>([
    ['an update of 5', 5, (s) => s.updated(5, memo)],
    ['a status webhook of 20', 20, (s) => s.status(20, memo)],
    ['a registration, before every update,', 0, (s) => s.registered(memo)],
    ['a registration with status 10', 10, (s) => s.registered({ ...memo, status: 10 })],
    ['an unknown status after 10', 10, (s) => [s.updated(10), s.status(99, memo)]],
    ['no status after 10', 10, (s) => [s.updated(10), s.observe(s.event('update', memo))]],
    ['no status where none is known', 0, (s) => s.observe(s.event('update', memo))],
    [
      'a status that a decision set aside for 10',
      10,
      (s) => {
        s.updated(15);
        s.take(assertFacts(s.state, { status: 10, reason: 'seen', by: 'manager' }, s.now));
        s.updated(15, memo);
      },
    ],
  ])('those of %s count at %i', (_, expected, play) => expect(rung(play)).toBe(expected));
});

it('a status and a fact name the event by its row in the inbox, with its receipt and its date', () => {
  const story = new Story().at(origin + hour);
  story.updated(10, { ...memo, inboxId: 7, receivedAt: origin, changedAt: origin - minute });
  story.updated(15, { inboxId: 8, receivedAt: origin });
  const report = { source: '7', at: origin, changedAt: origin - minute };
  expect(story.state.statuses.map(({ observed }) => observed)).toEqual([
    report,
    { source: '8', at: origin, changedAt: null },
  ]);
  expect(story.state.facts.pickupMemo?.claims).toMatchObject([{ ...report, grade: 'observed', arrival: 1 }]);
  expect(story.state.facts.car?.claims).toMatchObject([{ source: '8', changedAt: null, arrival: 2 }]);
});

it('L01: the newest content is stored for each channel and status, and that of a repeat is the same', () => {
  const story = new Story();
  story.registered();
  story.updated(10, { contentHash: 'a' });
  story.status(10, { contentHash: 'a' });
  expect(story.updated(15, { contentHash: 'a' }).verdict).toBe('applied');
  expect(story.updated(10, { contentHash: 'b', ...memo }).verdict).toBe('stale');
  expect(story.updated(10, { contentHash: 'a' }).rule).not.toBe('L01');
  expect(Object.keys(story.state.newest)).toEqual(['registration@0', 'update@10', 'status@10', 'update@15']);
});

it('L05, L06: only a registration registers, and the first one without status 5 is remembered', () => {
  const story = new Story();
  story.status(5);
  expect(story.state).toMatchObject({ registered: false, specViolatedAt: null });
  story.registered();
  expect(story.state).toMatchObject({ registered: true, specViolatedAt: null });
  story.at(origin + minute).registered({ status: 10 });
  story.at(origin + hour).registered({ status: 15 });
  expect(story.state.specViolatedAt).toBe(origin + minute);
  const without = new Story();
  without.observe(without.event('registration', { ...whole }));
  expect(without.state.specViolatedAt).toBe(origin);
});

describe('L14: car events', () => {
  const changes = ({ state }: Story) => state.carChanges.map(({ from, to }) => [from, to.id]);

  it('one without a status is a change of the car and no value of it, one with a status is both', () => {
    const story = new Story();
    story.carChanged(12, 13);
    expect(changes(story)).toEqual([[12, 13]]);
    expect(story.state.facts.car).toBeNull();
    story.observe(story.event('car', { status: 15, previousCarId: 13, ...car(14), ...memo }));
    expect(changes(story)).toEqual([
      [12, 13],
      [13, 14],
    ]);
    expect(story.state.facts.car).toMatchObject({ rung: 15, claims: [{ value: { id: 14 } }] });
    expect(story.view.pickup.memo).toBe('gate 2');
  });

  it('one without a car changes none, and an update with one is no change', () => {
    const story = new Story();
    story.observe(story.event('car', { previousCarId: 12 }));
    story.updated(10);
    expect(changes(story)).toEqual([]);
  });

  it('is stored with its event, its receipt, its date and its place in the order of arrival', () => {
    const story = new Story();
    story.registered();
    story.observe(story.event('car', { ...car(13), inboxId: 7, changedAt: origin - minute }));
    story.at(origin + minute).carChanged(13, 14, { inboxId: 8 });
    expect(story.state.carChanges).toEqual([
      { from: null, to: car(13).car, source: '7', at: origin, changedAt: origin - minute, arrival: 2 },
      { from: 13, to: car(14).car, source: '8', at: origin + minute, changedAt: null, arrival: 3 },
    ]);
  });

  it.each<[string, string, number, number, Partial<ReservationEvent>]>([
    ['of the same change', 'in the place of', 12, 13, { changedAt: origin }],
    ['of a change from another car', 'after', 11, 13, { changedAt: origin }],
    ['of a change to another car', 'after', 12, 14, { changedAt: origin }],
    ['of another date', 'after', 12, 13, { changedAt: origin + 1 }],
  ])('a second event %s is stored %s the first', (_, place, from, to, parts) => {
    const story = new Story();
    story.carChanged(12, 13, { changedAt: origin });
    story.carChanged(from, to, { ...parts, inboxId: 9, contentHash: 'x' });
    expect(story.state.carChanges).toHaveLength(place === 'after' ? 2 : 1);
    expect(story.state.carChanges.at(-1)).toMatchObject({ from, to: { id: to }, source: '9', arrival: 2 });
  });

  it('L13: read again as the same change it keeps its place, and as another one replaces only its own', () => {
    const story = new Story();
    const [first, second] = [
      story.event('car', { previousCarId: 12, ...car(13) }),
      story.event('car', { previousCarId: 13, ...car(14) }),
    ];
    story.observe(first);
    story.observe(second);
    const again = (event: ReservationEvent, replay: number, parts = {}) =>
      story.observe({ ...event, ...parts, replay, eventId: `replay-${replay}`, contentHash: `${replay}` });
    again(first, 1);
    expect(story.state.carChanges).toMatchObject([{ arrival: 1 }, { arrival: 2 }]);
    again(first, 2, car(15));
    expect(story.state.carChanges).toMatchObject([
      { from: 12, to: { id: 15 }, source: '1', arrival: 1.5 },
      { from: 13, to: { id: 14 }, source: '2', arrival: 2 },
    ]);
  });
});

it('the entry of an event has its row, its status and its verdict, and says which reading it is', () => {
  const story = new Story();
  const event = story.event('status', { status: 10 });
  expect(story.observe(event)).toEqual({ inboxId: 1, verdict: 'applied', rule: 'L05' });
  expect(story.entries[0]).toMatchObject({ kind: 'event', rule: 'L05' });
  expect(story.entries[0]?.data).toMatchObject({ inboxId: 1, verdict: 'applied', status: 10 });
  expect(story.entries[0]?.data).not.toHaveProperty('replay');
  story.observe(story.event('car', { ...car(12), replay: 2 }));
  expect(story.entries.at(-1)?.data).toMatchObject({ inboxId: 2, replay: 2, status: null });
});
