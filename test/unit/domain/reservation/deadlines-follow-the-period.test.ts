import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import type { Period } from '../../../../src/domain/shared/time.js';
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

interface Deadline {
  rule: string;
  kind: lifecycle.AttentionKind;
  status: number;
  /** When it is due, by the period. */
  due: (period: Period) => number;
  /** A callback that takes its cause away. */
  cure: (story: Story) => void;
}
const byPeriod: Deadline[] = [
  {
    rule: 'L40',
    kind: 'dispatch-not-started',
    status: 5,
    due: (p) => p.start - hour,
    cure: (s) => s.status(10),
  },
  { rule: 'L41', kind: 'handover-late', status: 10, due: (p) => p.start, cure: (s) => s.status(15) },
  {
    rule: 'L42',
    kind: 'callback-overdue',
    status: 15,
    due: (p) => p.end + 3 * minute,
    cure: (s) => s.status(45),
  },
  { rule: 'L43', kind: 'return-late', status: 20, due: (p) => p.end, cure: (s) => s.status(30) },
];

const move = (story: Story, period: Period) => story.updated(story.view.status.code ?? 0, { period });
const since = (story: Story, kind: string) => story.view.attention.find((item) => item.kind === kind)?.since;
const raised = (story: Story, kind: string) =>
  story.entries.filter(({ attention }) => attention?.kind === kind && attention.change === 'raised');
const zoned = (instant: number) => new Date(instant + 9 * hour).toISOString().replace('Z', '+09:00');

describe.each(byPeriod)('$rule: $kind', ({ kind, status, due, cure }) => {
  const moved = { start: start + 5 * hour, end: end + 5 * hour };
  const earlier = { start: start - 2 * hour, end: end - 2 * hour };

  it('is raised at its instant, once, with the time since when', () => {
    const story = storyAt(status).at(due(whole.period) - 1);
    expect(story.kinds).not.toContain(kind);
    story.at(due(whole.period));
    expect(since(story, kind)).toBe(zoned(due(whole.period)));
    story.at(due(whole.period) + minute);
    story.at(due(whole.period) + 2 * minute);
    expect(raised(story, kind)).toHaveLength(1);
  });

  it('clears itself when its cause ends, with a timeline entry', () => {
    const story = storyAt(status).at(due(whole.period));
    cure(story);
    expect(story.kinds).not.toContain(kind);
    expect(story.entries.find(({ attention }) => attention?.change === 'cleared')?.attention?.kind).toBe(
      kind,
    );
  });

  it('L12: a deadline that moves later with its period is raised at its new instant', () => {
    const story = storyAt(status);
    move(story, moved);
    story.at(due(whole.period) + minute);
    expect(story.kinds).not.toContain(kind);
    story.at(due(moved));
    expect(since(story, kind)).toBe(zoned(due(moved)));
  });

  it('L12: a period change after the deadline clears the item and sets the new deadline', () => {
    const story = storyAt(status).at(due(whole.period) + minute);
    move(story, moved);
    expect(story.kinds).not.toContain(kind);
    story.at(due(moved));
    expect(since(story, kind)).toBe(zoned(due(moved)));
    expect(raised(story, kind)).toHaveLength(2);
  });

  it('L12: a deadline that moves earlier with its period is due earlier, at once where it has passed', () => {
    const story = storyAt(status).at(due(earlier) + minute);
    expect(story.kinds).not.toContain(kind);
    move(story, earlier);
    expect(since(story, kind)).toBe(zoned(due(earlier)));
  });

  it('L48: down across the deadline: the item is raised once at the next run, since it was due', () => {
    const story = storyAt(status).at(due(whole.period) + 30 * day);
    expect(since(story, kind)).toBe(zoned(due(whole.period)));
    expect(raised(story, kind)).toHaveLength(1);
  });

  it('L48: down across the deadline and the end of its cause: nothing is raised', () => {
    const story = storyAt(status);
    story.now = due(whole.period) + hour;
    cure(story);
    expect(raised(story, kind)).toHaveLength(0);
  });

  it('a clock that goes back neither clears the item nor raises it again', () => {
    const story = storyAt(status).at(due(whole.period));
    const before = story.entries.length;
    story.at(due(whole.period) - 10 * minute);
    expect(story.kinds).toContain(kind);
    story.at(due(whole.period));
    expect(story.entries).toHaveLength(before);
  });

  it('an item that a person resolved stays resolved while nothing new happens', () => {
    const story = storyAt(status).at(due(whole.period));
    story.take(lifecycle.resolveAttention(story.state, { kind, reason: 'known', by: 'dana' }, story.now));
    story.at(due(whole.period) + 14 * minute);
    expect(story.kinds).not.toContain(kind);
    expect(story.view.decisions).toMatchObject([{ about: kind, by: 'dana', reason: 'known' }]);
  });
});

it('L40, L41: an extension of the end does not raise again the items of the start', () => {
  const story = storyAt(5).at(start);
  move(story, { start, end: end + hour });
  expect(raised(story, 'dispatch-not-started')).toHaveLength(1);
  expect(raised(story, 'handover-late')).toHaveLength(1);
});

it('L44: a 25 that was reported before the end was moved does not concern the new end', () => {
  const story = storyAt(20).at(end + minute);
  story.status(25, { changedAt: end });
  move(story, { start, end: end + 5 * hour });
  expect(story.view).toMatchObject({ status: { code: 25 }, attention: [] });
  story.at(end + 5 * hour);
  expect(since(story, 'return-late')).toBe(zoned(end + 5 * hour));
});

it('L44: a shortened rental is late since its new end', () => {
  const story = storyAt(20).at(end - 2 * hour);
  move(story, { start, end: end - 3 * hour });
  expect(since(story, 'return-late')).toBe(zoned(end - 3 * hour));
});

it('L45: a return that is reported late counts from its own time, where the platform reports it', () => {
  const story = storyAt(20).at(end + 3 * hour);
  story.status(30, { changedAt: end });
  story.at(end + 12 * hour);
  expect(since(story, 'recall-overdue')).toBe(zoned(end + 12 * hour));
});

it('L45, L46: only the role that has to act is notified', () => {
  const channel = new Story({ roles: ['channel'] });
  channel.updated(30);
  expect(channel.at(origin + 13 * hour).kinds).not.toContain('recall-overdue');
  const supplier = new Story({ roles: ['supplier'] });
  supplier.registered();
  supplier.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  expect(supplier.at(origin + 11 * minute).kinds).not.toContain('not-announced');
});

it('L46: down across the wait for a callback: raised once, and a late callback clears it', () => {
  const story = storyAt(5);
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  story.at(origin + 2 * hour);
  expect(since(story, 'not-announced')).toBe(zoned(origin + 10 * minute));
  story.status(10);
  expect(story.kinds).not.toContain('not-announced');
});

it('L47: a second, later end starts the settle time again', () => {
  const story = storyAt(5);
  story.status(45);
  story.at(origin + 20 * hour);
  story.status(40);
  expect(story.at(origin + day).view.closed).toBe(false);
  expect(story.at(origin + 20 * hour + day).view.closed).toBe(true);
});

it('L47: an end that comes after the closing opens the reservation again, and raises each open item again, once', () => {
  const story = storyAt(5);
  story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  story.status(45);
  const wakes = () => {
    const before = story.entries.length;
    story.at(story.now).at(story.now);
    return story.entries.slice(before).map(({ rule, kind, data }) => [rule, kind, data]);
  };
  story.now = origin + day;
  const closing = [
    ['L47', 'timer', { status: 45 }],
    ['L47', 'timer', { kind: 'command-unknown' }],
  ];
  expect(wakes()).toEqual(closing);
  expect(story.state.closedAt).toBe(origin + day);
  story.now += hour;
  expect(wakes()).toEqual([]);
  story.status(40);
  expect(wakes()).toEqual([['L24', 'decision', { kind: 'command-unknown', since: origin, again: true }]]);
  const raised = story.entries.at(-1);
  expect(raised?.attention).toMatchObject({ change: 'raised', again: true });
  expect(raised?.text).toMatch(/^Still needs attention/);
  expect(story.state.closedAt).toBeNull();
  story.now += day;
  expect(wakes()).toEqual([['L47', 'timer', { status: 40 }], closing[1]]);
});

it('L47: late events within the settle time are in the same history, and do not prolong it', () => {
  const story = storyAt(5);
  story.status(40);
  story.at(origin + 23 * hour);
  expect(story.status(10).verdict).toBe('stale');
  expect(story.kinds).toEqual(['retrieve-car']);
  story.take(
    lifecycle.resolveAttention(
      story.state,
      { kind: 'retrieve-car', reason: 'it is back', by: 'dana' },
      story.now,
    ),
  );
  story.at(origin + day);
  expect(story.view.closed).toBe(true);
  expect(story.entries.filter(({ rule }) => rule === 'L47')).toHaveLength(1);
});

it('L47: a reservation closes at once where the cluster was down beyond the settle time', () => {
  const story = storyAt(5);
  story.status(35);
  expect(story.at(origin + 90 * day).view.closed).toBe(true);
  expect(story.nextDeadline).toBeNull();
});

it('L13: the policy sets how long a fact may be ambiguous', () => {
  const story = new Story({ ambiguousMs: hour });
  story.updated(10);
  story.updated(10, { period: { start, end: end + hour } });
  story.at(origin + hour);
  expect(story.kinds).toEqual(['ambiguous']);
  story.updated(15, { period: { start, end: end + hour } });
  expect(story.kinds).toEqual([]);
});
