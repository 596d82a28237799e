import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  day,
  hour,
  minute,
  origin,
  override,
  Story,
  storyAt,
  whole,
} from '../../../support/reservation-story.js';

const { start, end } = whole.period;
const raisedTimes = (story: Story, kind: string) =>
  story.entries.filter(({ data }) => data.kind === kind && data.since !== undefined).length;

it('L40: an hour before the start and still at 5: dispatch has not started', () => {
  const story = storyAt(5);
  expect(story.nextDeadline).toBe(start - hour);
  story.at(start - hour);
  expect(story.kinds).toEqual(['dispatch-not-started']);
  story.status(10);
  expect(story.kinds).toEqual([]);
});

it('L40: only a supplier is notified', () => {
  const story = storyAt(5, {}, { roles: ['channel'] }).at(start - hour);
  expect(story.kinds).toEqual([]);
});

it('L41: the start passed without 15: the handover is late, until it is done', () => {
  const story = storyAt(10).at(start);
  expect(story.kinds).toEqual(['handover-late']);
  story.status(15);
  expect(story.kinds).toEqual([]);
});

it.each([5, 10, 15])(
  'L42: the end passed at %i without a sign of use: 45 is expected, never set',
  (status) => {
    const story = storyAt(status).at(end);
    expect(story.view.expected).toEqual({ code: 45, by: '2026-11-22T13:03:00.000+09:00' });
    expect(story.kinds).not.toContain('callback-overdue');
    story.at(end + 3 * minute);
    expect(story.kinds).toContain('callback-overdue');
    story.at(end + 3 * day);
    expect(story.view.status.code).toBe(status);
  },
);

it('L42: at 15 the end is a deadline, because what is expected changes, and the end of the grace is the last', () => {
  const story = storyAt(15);
  const deadlines: (number | null)[] = [story.nextDeadline];
  while (story.nextDeadline !== null) deadlines.push(story.at(story.nextDeadline).nextDeadline);
  expect(deadlines).toEqual([end, end + 3 * minute, null]);
});

it('L43: the end passed in use: 25 is expected, and the lateness is raised again at each step', () => {
  const story = storyAt(20).at(end);
  expect(story.view.expected?.code).toBe(25);
  for (const late of [15, 60, 120]) story.at(end + late * minute);
  expect(raisedTimes(story, 'return-late')).toBe(4);
  expect(story.view.attention).toMatchObject([
    { kind: 'return-late', since: '2026-11-22T13:00:00.000+09:00' },
  ]);
  story.updated(30);
  expect(story.kinds).toEqual([]);
});

it('L43: a driving start at 15 counts as use', () => {
  const story = storyAt(5);
  story.updated(15, { driving: { start } });
  story.at(end);
  expect(story.view.expected?.code).toBe(25);
  expect(story.kinds).toEqual(['return-late']);
});

it('L44: an end moved after 25 clears the lateness, keeps the 25, and arms the new end', () => {
  const story = storyAt(20).at(end);
  story.updated(25);
  const later = { start, end: end + 5 * hour };
  story.updated(25, { period: later });
  expect(story.view.status.code).toBe(25);
  expect(story.view.expected).toMatchObject({ code: 30, by: '2026-11-22T18:00:00.000+09:00' });
  expect(story.kinds).toEqual([]);
  story.at(later.end);
  expect(story.kinds).toContain('return-late');
});

it('L44: a 25 shows that the car is late, also before our own clock and without a known period', () => {
  const ahead = storyAt(20).at(end - minute);
  ahead.status(25, { changedAt: end });
  expect(ahead.kinds).toEqual(['return-late']);
  const blind = new Story();
  blind.status(25);
  expect(blind.kinds).toEqual(['return-late']);
});

it('L45: a car that is returned and not recalled within 12 h raises attention', () => {
  const story = storyAt(30).at(origin + 12 * hour);
  expect(story.kinds).toEqual(['recall-overdue']);
  story.sendAction('recall.complete', { outcome: 'applied' }, { override });
  expect(story.kinds).toEqual([]);
});

it('L46: an accepted command without a callback within 10 min raises attention', () => {
  const story = storyAt(5);
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  story.at(origin + 10 * minute);
  expect(story.kinds).toEqual(['not-announced']);
  story.status(10);
  expect(story.kinds).toEqual([]);
});

it.each([35, 40, 45, 50])('L47: a reservation closes 24 h after the terminal %i, not before', (status) => {
  const story = storyAt(5);
  story.status(status);
  expect(story.at(origin + day - 1).view.closed).toBe(false);
  expect(story.nextDeadline).toBe(origin + day);
  expect(story.at(origin + day).view.closed).toBe(true);
  expect(story.nextDeadline).toBeNull();
});

it('L47: a reservation does not close while a request is out', () => {
  const story = storyAt(5);
  story.accept('dispatch.start', { override });
  story.send();
  story.status(50);
  expect(story.at(origin + 2 * day).view.closed).toBe(false);
});

it('L48: down across every deadline: each item is raised once, not replayed', () => {
  const story = storyAt(20).at(end + 5 * hour);
  expect(raisedTimes(story, 'return-late')).toBe(1);
  expect(story.view.attention[0]?.since).toBe('2026-11-22T13:00:00.000+09:00');
  const before = story.state;
  expect(lifecycle.wake(before, story.now)).toEqual({ state: before, entries: [] });
});

it('L17: deadlines in the past are raised once', () => {
  const story = new Story();
  story.registered({ period: { start: origin - 2 * day, end: origin - day }, createdAt: origin - 3 * day });
  expect(story.kinds).toEqual(['handover-late', 'dispatch-not-started', 'callback-overdue']);
  story.at(origin + minute);
  expect(raisedTimes(story, 'handover-late')).toBe(1);
});

it('a change of policy moves the deadlines of an open reservation', () => {
  const story = storyAt(5);
  story.take({
    state: lifecycle.withPolicy(story.state, { ...story.state.policy, dispatchLeadMs: 0 }),
    entries: [],
  });
  expect(story.nextDeadline).toBe(start);
});

it('L43: the text of an item stays true however much later it is read', () => {
  const late = storyAt(20).at(end);
  const shown = (now: number) => lifecycle.view(late.state, now).attention;
  expect(shown(end + 10 * minute)).toEqual(shown(end));
});
