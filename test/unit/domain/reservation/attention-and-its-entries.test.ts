import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  day,
  hour,
  minute,
  origin,
  override,
  registered,
  type Story,
  unknown,
  whole,
} from '../../../support/reservation-story.js';
import { read } from '../../../support/sentences.js';

const { start, end } = whole.period;

function late(): Story {
  const story = registered();
  story.updated(20);
  return story.at(end);
}
const entriesOf = (story: Story, change: 'raised' | 'cleared') =>
  story.entries.filter(({ attention }) => attention?.change === change);

it.each([
  [
    'L42',
    'no use was reported',
    15,
    { expected: 45, by: end + 3 * minute },
    '45 (no-show cancelled) by 2026-11-22T13:03',
  ],
  [
    'L43',
    'the customer has the car',
    20,
    { expected: 25, by: end + 3 * minute },
    '25 (return delayed) by 2026-11-22T13:03',
  ],
  ['L43', 'the return is delayed', 25, { expected: 30, by: null }, null],
] as const)(
  '%s: when the period ends and %s, one entry has what is expected then',
  (rule, _, status, data, text) => {
    const story = registered();
    story.updated(status);
    story.at(end - 1);
    const before = story.entries.length;
    story.at(end);
    story.at(end + 1);
    const timers = story.entries
      .slice(before)
      .filter(({ attention, kind }) => attention === undefined && kind === 'timer');
    if (text === null) expect(timers).toEqual([]);
    else {
      expect(timers).toMatchObject([{ at: end, rule, data }]);
      expect(timers[0]?.data).toEqual(data);
      expect(timers[0]?.text).toContain(`The period has ended. Expected next: ${text}`);
    }
  },
);

it('the entries of an item name its kind and since when it holds; the alerts state how it ended', () => {
  const story = late().at(end + 15 * minute);
  expect(entriesOf(story, 'raised').map(({ data }) => data)).toEqual([
    { kind: 'return-late', since: end, again: false },
    { kind: 'return-late', since: end, again: true },
  ]);
  story.updated(30);
  expect(entriesOf(story, 'cleared')).toMatchObject([
    {
      kind: 'decision',
      rule: 'L43',
      text: 'No longer needs attention: return-late.',
      data: { kind: 'return-late' },
      attention: {
        kind: 'return-late',
        since: end,
        alert: '[L43] return-late: reservation 8421: over, its cause is gone.',
      },
    },
  ]);
});

it('an item that a person resolves has an entry with that person, and stays in the state with them', () => {
  const story = late();
  const resolution = { kind: 'return-late', reason: 'stuck in traffic', by: 'dana' } as const;
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  expect(story.entries.at(-1)).toMatchObject({
    kind: 'decision',
    rule: 'L43',
    text: 'dana resolved: return-late.',
    data: { kind: 'return-late', by: 'dana' },
    attention: { change: 'cleared', alert: '[L43] return-late: reservation 8421: over, dana resolved it.' },
  });
  expect(story.state.attention.map(({ resolved }) => resolved)).toEqual([{ at: end, by: 'dana' }]);
  expect(story.view.decisions).toMatchObject([
    { by: 'dana', about: 'return-late', reason: 'stuck in traffic' },
  ]);
  const before = story.state;
  story.take(lifecycle.resolveAttention(before, resolution, story.now));
  expect(story.state).toEqual(before);
  story.at(end + minute);
  expect(story.state.attention.map(({ resolved }) => resolved)).toEqual([{ at: end, by: 'dana' }]);
});

it('an item of another kind cannot be resolved, and resolving one leaves the others open', () => {
  const story = late();
  story.status(99);
  expect(read(lifecycle.checkResolveAttention(story.state, 'conflict'))).toMatchObject({
    code: 'ATTENTION_NOT_FOUND',
    message: expect.stringContaining('"conflict"'),
  });
  const input = { kind: 'unknown-status', reason: 'a new code', by: 'dana' } as const;
  expect(lifecycle.checkResolveAttention(story.state, input.kind)).toBeNull();
  story.take(lifecycle.resolveAttention(story.state, input, story.now));
  expect(story.kinds).toEqual(['return-late']);
});

it('L47: when a reservation closes, each open item has an entry and an alert that states it', () => {
  const story = registered();
  story.updated(20);
  story.status(45);
  story.status(99);
  story.at(story.now + 2 * day);
  const closing = story.entries.filter(({ rule, attention }) => rule === 'L47' && attention !== undefined);
  expect(closing.map(({ kind, text, data, attention }) => [kind, text, data, attention?.alert])).toEqual([
    [
      'timer',
      'Closed with this item open: terminal-contradiction; the case file stores it.',
      { kind: 'terminal-contradiction' },
      '[L08] terminal-contradiction: reservation 8421: over, the reservation was closed with it open.',
    ],
    [
      'timer',
      'Closed with this item open: unknown-status; the case file stores it.',
      { kind: 'unknown-status' },
      '[L11] unknown-status: reservation 8421: over, the reservation was closed with it open.',
    ],
  ]);
});

it('items are shown gravest first, in whatever order they were raised', () => {
  const story = registered();
  story.status(99);
  story.sendAction('dispatch.staff', unknown, { override });
  story.at(start);
  story.updated(20);
  story.at(end);
  expect(story.kinds).toEqual(['return-late', 'command-unknown', 'unknown-status']);
  story.status(45);
  expect(story.kinds).toEqual(['terminal-contradiction', 'command-unknown', 'unknown-status']);
});

it('an item with several causes holds since the first of them', () => {
  const story = registered();
  story.sendAction('dispatch.staff', unknown);
  story.at(origin + hour);
  story.sendAction('dispatch.staff', unknown);
  expect(story.view.attention).toMatchObject([
    { kind: 'command-unknown', since: '2026-11-21T09:00:00.000+09:00' },
  ]);
  expect(entriesOf(story, 'raised').map(({ data }) => [data.since, data.again])).toEqual([
    [origin, false],
    [origin, true],
  ]);
});

it('L44: a delay that was reported before our clock reached the end holds since that report', () => {
  const story = registered();
  story.updated(20);
  story.at(end - minute);
  story.status(25, { changedAt: end });
  expect(story.kinds).toEqual(['return-late']);
  story.at(end + minute);
  expect(story.state.attention).toMatchObject([{ causes: { [`${end}+0`]: end - minute } }]);
});

it('L48: what became due while nothing ran is raised once, at the moment it is noticed', () => {
  const story = registered();
  story.updated(20);
  story.at(end + day);
  const raised = entriesOf(story, 'raised').filter(({ attention }) => attention?.kind === 'return-late');
  expect(raised.map(({ at, attention }) => [at, attention?.since])).toEqual([[end + day, end]]);
  story.take(lifecycle.wake(story.state, end));
  expect(story.kinds).toContain('return-late');
  expect(story.state.lookedAt).toBe(end + day);
});
