import { describe, expect, it } from 'vitest';
import { belief } from '../../../../src/domain/reservation/belief.js';
import { displayFor, expectedNext } from '../../../../src/domain/reservation/expected.js';
import {
  bookingRung,
  canBothBeTrue,
  highest,
  impliedBy,
  isKnownStatus,
  isTerminal,
  leadsTo,
  rank,
  registrationRung,
  statusCodes,
  statusName,
} from '../../../../src/domain/reservation/statuses.js';
import { hour, minute, origin, policy, Story, whole } from '../../../support/reservation-story.js';

const { fromStates } = policy;
const pairs = statusCodes.flatMap((a) => statusCodes.filter((b) => b > a).map((b) => [a, b] as const));

describe('L08-L10: which statuses one legal history can contain', () => {
  const impossible = [
    '10-50',
    '15-50',
    ...[20, 25, 30, 35].flatMap((code) => [`${code}-40`, `${code}-45`, `${code}-50`]),
    '40-50',
    '45-50',
  ];
  it('contains every pair except the listed impossible ones, in either order', () => {
    const found = pairs.filter(([a, b]) => !canBothBeTrue(fromStates, a, b)).map((pair) => pair.join('-'));
    expect(found.sort()).toEqual([...impossible].sort());
    for (const [a, b] of pairs) expect(canBothBeTrue(fromStates, b, a)).toBe(canBothBeTrue(fromStates, a, b));
    for (const code of statusCodes) expect(canBothBeTrue(fromStates, code, code)).toBe(true);
  });

  it('lateness alone is never a conflict, whatever the table says of what follows it', () => {
    const without25 = { ...fromStates, '30': [20] };
    expect(canBothBeTrue(without25, 25, 30)).toBe(true);
    expect(canBothBeTrue(without25, 35, 25)).toBe(true);
    expect(canBothBeTrue(without25, 25, 40)).toBe(false);
    expect(canBothBeTrue({ ...without25, '35': [] }, 20, 35)).toBe(false);
    const agree = pairs.filter(([a, b]) => canBothBeTrue({}, a, b) && canBothBeTrue({}, b, a));
    expect(agree.map((pair) => pair.join('-'))).toEqual(['25-30', '25-35', '40-45']);
  });

  it('a table that goes in circles is read to its end', () => {
    const circle = { '5': [10], '10': [5], '15': [10] };
    expect(leadsTo(circle, 5, 15)).toBe(true);
    expect(leadsTo(circle, 15, 5)).toBe(false);
    expect(impliedBy(circle, 15)).toEqual([]);
  });
});

describe('L04: what a status implies', () => {
  it.each([
    [5, []],
    [10, [5]],
    [15, [5, 10]],
    [20, [5, 10, 15]],
    [25, [5, 10, 15, 20]],
    [30, [5, 10, 15, 20]],
    [35, [5, 10, 15, 20, 30]],
    [40, [5]],
    [45, [5]],
    [50, [5]],
  ])('%i implies each status that lies on every way to it', (code, implied) => {
    expect(impliedBy(fromStates, code).sort((a, b) => a - b)).toEqual(implied);
  });
});

describe('L03, L09: which of several statuses counts', () => {
  it('is a terminal one before every other, and of terminals the first of 35, 40, 50, 45', () => {
    const precedence = [35, 40, 50, 45, 30, 25, 20, 15, 10, 5];
    precedence.forEach((code, index) => {
      expect(highest(precedence.slice(index))).toBe(code);
      expect(highest(precedence.slice(index).toReversed())).toBe(code);
      expect(isTerminal(code)).toBe(index < 4);
      expect(isKnownStatus(code)).toBe(true);
      expect(statusName(code)).not.toBe('unknown');
    });
    expect(highest([])).toBeNull();
    expect([isKnownStatus(99), statusName(99), isTerminal(99)]).toEqual([false, 'unknown', false]);
  });

  it('values of an update win over the registration, those over what was booked, and later ones over earlier', () => {
    const rising = [-1, 0, 5, 10, 15, 20, 25, 30, 45, 50, 40, 35];
    expect(rising.map(rank)).toEqual([...rising.keys()]);
    expect([bookingRung, registrationRung].map(rank)).toEqual([0, 1]);
  });
});

describe('L43, L44: the ladder of a late return', () => {
  const { end } = whole.period;
  const used = () => {
    const story = new Story();
    story.registered();
    story.updated(20);
    return story;
  };
  const raised = ({ entries }: Story) =>
    entries.filter(({ attention }) => attention?.kind === 'return-late').map(({ at }) => at - end);

  it('is raised at the end, and 15 min, 1 h and 2 h after it, once each', () => {
    const story = used();
    for (let at = end - minute; at <= end + 5 * hour; at += minute) story.at(at);
    expect(raised(story)).toEqual([0, 15 * minute, hour, 2 * hour]);
    expect(story.nextDeadline).toBeNull();
  });

  it('each step is the next deadline of the one before', () => {
    const story = used().at(end - 1);
    const deadlines: number[] = [];
    for (let next = story.nextDeadline; next !== null; next = story.at(next).nextDeadline)
      deadlines.push(next - end);
    expect(deadlines).toEqual([0, 15 * minute, hour, 2 * hour]);
  });

  it('a 25 raises the first step at once where our clock is behind, and none of the others', () => {
    const story = used().at(end - 5 * minute);
    story.status(25, { changedAt: end });
    expect(story.kinds).toEqual(['return-late']);
    expect(raised(story)).toEqual([-5 * minute]);
    story.at(end);
    expect(raised(story)).toEqual([-5 * minute]);
    story.at(end + 15 * minute);
    expect(raised(story)).toEqual([-5 * minute, 15 * minute]);
  });

  it('a 25 that happened before the end says nothing about it', () => {
    const story = used().at(end - 5 * minute);
    story.status(25, { changedAt: end - 1 });
    expect(story.kinds).toEqual([]);
  });

  it('where the end is not known a 25 counts from its receipt', () => {
    const story = new Story().at(origin + hour);
    story.status(25);
    expect(story.view.attention[0]).toMatchObject({
      kind: 'return-late',
      since: '2026-11-21T10:00:00.000+09:00',
    });
    expect(story.state.attention[0]?.causes).toEqual({ '25': origin + hour });
  });
});

describe('L40-L45: what is expected next, and by when', () => {
  const { start, end } = whole.period;
  const { dispatchLeadMs, overdueGraceMs, recallOverdueMs } = policy;
  it.each<[string, number, number, { code: number; by: number | null } | null]>([
    ['5', 5, origin, { code: 10, by: start - dispatchLeadMs }],
    ['10', 10, origin, { code: 15, by: start }],
    ['15', 15, origin, { code: 20, by: null }],
    ['20', 20, origin, { code: 30, by: end }],
    ['25', 25, origin, { code: 30, by: end }],
    ['30', 30, origin, { code: 35, by: origin + recallOverdueMs }],
    ['5, after the end', 5, end, { code: 45, by: end + overdueGraceMs }],
    ['15, after the end', 15, end, { code: 45, by: end + overdueGraceMs }],
    ['20, after the end', 20, end, { code: 25, by: end + overdueGraceMs }],
    ['25, after the end', 25, end, { code: 30, by: null }],
    ['35', 35, origin, null],
    ['40', 40, origin, null],
  ])('at status %s', (_, status, now, expected) => {
    const story = new Story();
    story.registered();
    if (status !== 5) story.updated(status);
    expect(expectedNext(story.state, belief(story.state), now)).toEqual(expected);
  });

  it('of a returned car, the recall within its time since the return', () => {
    const story = new Story();
    story.updated(30);
    const by = (now: number) => expectedNext(story.state, belief(story.state), now)?.by;
    expect(by(origin + hour)).toBe(origin + recallOverdueMs);
  });

  it('of a car that drives although its use was not reported, 20, and 25 after the end', () => {
    const story = new Story();
    story.registered();
    story.updated(15, { driving: { start } });
    const at = (now: number) => expectedNext(story.state, belief(story.state), now);
    expect(at(origin)).toEqual({ code: 20, by: null });
    expect(at(end)).toEqual({ code: 25, by: end + overdueGraceMs });
  });

  it('without a known period no instant, and without a status nothing', () => {
    const story = new Story();
    expect(expectedNext(story.state, belief(story.state), origin)).toBeNull();
    const at = (status: number) => {
      story.status(status);
      return expectedNext(story.state, belief(story.state), end);
    };
    expect(at(5)).toEqual({ code: 10, by: null });
    expect(at(10)).toEqual({ code: 15, by: null });
    expect(at(20)).toEqual({ code: 30, by: null });
    expect(at(25)).toEqual({ code: 30, by: null });
  });
});

it('a channel shows its customer the assigned car at 15, its use at 20 and 25, and the end of it at 30', () => {
  const shown = statusCodes.map((code) => [code, displayFor(code)]).filter(([, display]) => display !== null);
  expect(shown).toEqual([
    [15, 'assigned-car'],
    [20, 'in-use'],
    [25, 'in-use'],
    [30, 'use-completed'],
  ]);
  expect(displayFor(null)).toBeNull();
});
