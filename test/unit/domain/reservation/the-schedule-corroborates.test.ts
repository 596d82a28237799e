import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import type { Period } from '../../../../src/domain/shared/time.js';
import { day, hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const { period } = whole;
const moved = { start: period.start + hour, end: period.end + hour };
const entry = { scheduleId: 77, carId: 12, ...period };

/** A single entry was found to be its own, several may be. */
function read(
  story: Story,
  entries: lifecycle.ScheduleEntry[],
  { confirmed = false, at = story.now }: { confirmed?: boolean; at?: number } = {},
): void {
  const [only, another] = entries;
  const own = only !== undefined && another === undefined;
  const shown = own ? { entry: only, candidates: [] } : { entry: null, candidates: entries };
  story.take(lifecycle.corroborate(story.state, { at, ...shown, confirmed }, story.now));
}
const asserted = { reason: 'seen on the web site', by: 'manager' };

it('L19: an entry that agrees corroborates what a person asserted, and names itself as the source', () => {
  const story = new Story();
  const facts = { status: 5, carId: 12, startAt: period.start, endAt: period.end, ...asserted };
  story.take(lifecycle.assertFacts(story.state, facts, story.now));
  read(story, [entry]);
  const source = { kind: 'schedule', id: '77' };
  expect(story.view).toMatchObject({
    status: { code: 5, grade: 'asserted' },
    car: { id: 12, grade: 'corroborated', source },
    period: { grade: 'corroborated', source },
  });
  expect(story.entries.at(-1)).toMatchObject({ kind: 'decision', rule: 'L19', data: { scheduleId: 77 } });
});

it('L19: an entry that shows another value, or none in two readings, corroborates no longer', () => {
  for (const entries of [[{ ...entry, ...moved }], []]) {
    const story = new Story();
    const facts = { status: 5, carId: 12, startAt: period.start, endAt: period.end, ...asserted };
    story.take(lifecycle.assertFacts(story.state, facts, story.now));
    read(story, [entry]);
    read(story.at(origin + minute), entries, { confirmed: true });
    expect(story.view.period).toMatchObject({ grade: 'asserted', source: { kind: 'person' } });
    expect(story.outlook.facts.period).toEqual(period);
  }
});

it('L13: a fact that one reading decided stays decided when a later one shows an unreported value', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { period: moved });
  read(story, [entry]);
  const other = { ...entry, start: moved.start, end: moved.end + day };
  read(story.at(origin + minute), [other], { confirmed: true });
  expect(story.outlook.facts.period).toEqual(period);
  expect(story.view.marks).not.toContain('ambiguous:period');
  expect(story.kinds).toContain('schedule-differs');
});

it('L19: a fact from a callback stays observed, and a reading that changes nothing leaves no entry', () => {
  const story = new Story();
  story.registered();
  const lines = story.entries.length;
  read(story, [entry]);
  read(story, [entry], { at: story.now + minute });
  expect(story.view).toMatchObject({ car: { grade: 'observed' }, period: { grade: 'observed' } });
  expect(story.entries).toHaveLength(lines);
});

it('L13: the entry decides which of several reported periods is the present one, whichever came last', () => {
  for (const right of [period, moved]) {
    const story = new Story();
    story.updated(10);
    story.updated(10, { period: moved });
    expect(story.view.marks).toContain('ambiguous:period');
    read(story, [{ ...entry, ...right }]);
    expect(story.view.marks).not.toContain('ambiguous:period');
    expect(story.view.period).toMatchObject({ grade: 'observed', changes: 1 });
    expect(story.outlook.facts.period).toEqual(right);
    expect(story.entries.at(-1)).toMatchObject({ rule: 'L13', data: { scheduleId: 77 } });
    expect(story.entries.at(-1)?.text).toContain('No longer marked: ambiguous:period.');
  }
});

it('L13: the entry decides which of several reported cars is the present one', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { car: { id: 13, number: '34나5678' } });
  read(story, [entry]);
  expect(story.view.car).toMatchObject({ id: 12, number: '12가3456', grade: 'observed' });
  expect(story.view.marks).not.toContain('ambiguous:car');
});

it('L13: of several possible entries the only one that fits the reports decides; where two fit, none does', () => {
  const apart = { start: period.start + 3 * day, end: period.end + 3 * day };
  const stranger = { scheduleId: 5, carId: 12, start: origin + 9 * day, end: origin + 10 * day };
  const ambiguous = () => {
    const story = new Story();
    story.updated(10);
    story.updated(10, { period: apart });
    return story;
  };
  const settled = ambiguous();
  read(settled, [stranger, entry]);
  expect(settled.outlook.facts.period).toEqual(period);
  expect(settled.view.marks).not.toContain('ambiguous:period');
  const open = ambiguous();
  read(open, [entry, { ...entry, ...apart, scheduleId: 78 }], { confirmed: true });
  expect(open.view.marks).toContain('ambiguous:period');
  expect(open.kinds).toContain('schedule-missing');
});

it('L13: a report after the reading counts again, a report before it does not', () => {
  const story = new Story();
  story.updated(10);
  read(story.at(origin + hour), [entry]);
  const late = story.event('update', { status: 10, ...whole, period: moved, receivedAt: origin });
  story.at(origin + 2 * hour).observe(late);
  expect(story.outlook.facts.period).toEqual(period);
  expect(story.view.marks).not.toContain('ambiguous:period');
  story.at(origin + 3 * hour).updated(10, { period: moved, pickupMemo: 'gate 2' });
  expect(story.outlook.facts.period).toEqual(moved);
  expect(story.view.marks).toContain('ambiguous:period');
});

it('L19: an unreported value is not accepted; read twice it raises attention until both agree', () => {
  const story = new Story();
  story.registered();
  const other = { ...entry, ...moved };
  read(story, [other]);
  expect(story.kinds).toEqual([]);
  read(story.at(origin + minute), [other], { confirmed: true });
  expect(story.kinds).toEqual(['schedule-differs']);
  expect(story.outlook.facts.period).toEqual(period);
  expect(story.view.attention[0]?.message).toContain('2026-11-21T14:00:00.000+09:00');
  read(story.at(origin + 2 * minute), [entry]);
  expect(story.kinds).toEqual([]);
});

it('L19: no entry in two readings raises attention; a later report clears it until the next reading', () => {
  const story = new Story();
  story.registered();
  read(story.at(origin + minute), []);
  expect(story.kinds).toEqual([]);
  read(story.at(origin + 2 * minute), [], { confirmed: true });
  expect(story.kinds).toEqual(['schedule-missing']);
  story.at(origin + 3 * minute).updated(10, { period: moved });
  expect(story.kinds).toEqual([]);
});

it('L19: an ended reservation is not compared with the schedule: the platform releases its entry', () => {
  const story = new Story();
  story.registered();
  story.status(40);
  read(story.at(origin + minute), [], { confirmed: true });
  expect(story.kinds).toEqual([]);
});

it('L19: a person who asserted another value is not overruled by the schedule', () => {
  const story = new Story();
  story.updated(10);
  story.take(
    lifecycle.assertFacts(story.state, { startAt: moved.start, endAt: moved.end, ...asserted }, story.now),
  );
  read(story.at(origin + minute), [entry], { confirmed: true });
  expect(story.outlook.facts.period).toEqual(moved);
  expect(story.kinds).toEqual(['schedule-differs']);
});

it('L19: an older reading that arrives late changes nothing, nor does the same one again', () => {
  const story = new Story();
  story.registered();
  read(story.at(origin + hour), [entry]);
  const before = story.state;
  read(story, [], { at: origin, confirmed: true });
  expect(story.state).toBe(before);
  read(story, [entry], { at: origin + hour });
  expect(story.state).toEqual(before);
});

/** The entry that is found to be its own among several, and that one alone. */
function foundAmong(story: Story, ...candidates: lifecycle.ScheduleEntry[]): number | null {
  const evidence = { at: story.now, entry: null, candidates, confirmed: false };
  story.take(lifecycle.corroborate(story.state, evidence, story.now));
  return story.state.scheduled?.entry?.scheduleId ?? null;
}
const otherCar = { id: 13, number: null };

it.each<[string, 'its own' | 'another’s', (story: Story) => unknown, Partial<lifecycle.ScheduleEntry>]>([
  ['of its car and period', 'its own', (s) => s.updated(10), {}],
  ['of another start', 'another’s', (s) => s.updated(10), { start: moved.start }],
  ['of another end', 'another’s', (s) => s.updated(10), { end: moved.end }],
  ['of another car', 'another’s', (s) => s.updated(10), { carId: 13 }],
  ['where no car is known', 'another’s', (s) => s.status(10, { period }), {}],
  ['where no period is known', 'another’s', (s) => s.carChanged(12, 12), {}],
  ['of an earlier of two periods', 'its own', (s) => [s.updated(10), s.updated(10, { period: moved })], {}],
  [
    'of neither of two periods',
    'another’s',
    (s) => [s.updated(10), s.updated(10, { period: moved })],
    { end: moved.end },
  ],
  ['of an earlier of two cars', 'its own', (s) => [s.updated(10), s.updated(10, { car: otherCar })], {}],
  [
    'of neither of two cars',
    'another’s',
    (s) => [s.updated(10), s.updated(10, { car: otherCar })],
    { carId: 14 },
  ],
  [
    'of the car of an event beside another one',
    'its own',
    (s) => [s.updated(10), s.carChanged(14, 13)],
    { carId: 13 },
  ],
  [
    'of the car that an event beside it left',
    'another’s',
    (s) => [s.updated(10), s.carChanged(14, 13)],
    { carId: 14 },
  ],
])('L13: of possible entries a reservation finds one %s to be %s', (_, expected, play, changes) => {
  const stranger = { scheduleId: 5, carId: 99, ...moved };
  const story = new Story();
  play(story);
  expect(foundAmong(story, stranger, { ...entry, ...changes })).toBe(expected === 'its own' ? 77 : null);
});

it('L19: a second reading of the same moment counts, an earlier one does not', () => {
  const scheduled = (at: number) => {
    const story = new Story();
    story.registered();
    story.now = origin + hour;
    read(story, [entry]);
    read(story, [], { at, confirmed: true });
    return story.state.scheduled;
  };
  expect(scheduled(origin + hour)).toEqual({ at: origin + hour, entry: null, confirmed: true });
  expect(scheduled(origin + hour - 1)).toEqual({ at: origin + hour, entry, confirmed: false });
});

describe('L19: what a later reading takes back', () => {
  const assertedAs = (story: Story) => {
    const facts = { status: 5, carId: 12, startAt: period.start, endAt: period.end, ...asserted };
    story.take(lifecycle.assertFacts(story.state, facts, story.now));
    read(story, [entry]);
  };
  const grade = (entries: lifecycle.ScheduleEntry[], confirmed: boolean) => {
    const story = new Story();
    assertedAs(story);
    read(story.at(origin + minute), entries, { confirmed });
    return [story.view.period?.grade, story.view.car?.grade];
  };

  it('nothing where it finds none for the first time', () => {
    expect(grade([], false)).toEqual(['corroborated', 'corroborated']);
    expect(grade([], true)).toEqual(['asserted', 'asserted']);
  });

  it('each fact by itself', () => {
    expect(grade([{ ...entry, carId: 13 }], false)).toEqual(['corroborated', 'asserted']);
    expect(grade([{ ...entry, ...moved }], false)).toEqual(['asserted', 'corroborated']);
  });

  it('L13: no decision between reported values, unless it shows another of these', () => {
    const decided = (entries: lifecycle.ScheduleEntry[]) => {
      const story = new Story();
      story.updated(10);
      story.updated(10, { period: moved });
      read(story, [entry]);
      read(story.at(origin + minute), entries, { confirmed: true });
      return [story.outlook.facts.period, story.view.marks];
    };
    expect(decided([])).toEqual([period, ['adopted']]);
    expect(decided([{ ...entry, end: moved.end }])).toEqual([period, ['adopted']]);
    expect(decided([{ ...entry, ...moved }])).toEqual([moved, ['adopted']]);
  });
});

it('L13: of two readings of unreported values the newer one decides where its value is reported late', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { period: moved });
  const shown = (end: number) => ({ ...entry, ...moved, end });
  read(story.at(origin + minute), [shown(moved.end + hour)]);
  read(story.at(origin + 2 * minute), [shown(moved.end + day)]);
  const late = { start: moved.start, end: moved.end + day };
  story.observe(story.event('update', { status: 10, ...whole, period: late, receivedAt: origin }));
  story.updated(10, { period: moved, receivedAt: origin, contentHash: 'again' });
  expect(story.outlook.facts.period).toEqual(late);
  expect(story.view.marks).toEqual(['adopted']);
});

it('L19: a reading of a reservation of which nothing is known is stored, and adopts nothing', () => {
  const story = new Story();
  read(story, [entry], { confirmed: true });
  expect(story.state.scheduled).toEqual({ at: origin, entry, confirmed: true });
  expect(story.view).toMatchObject({ car: null, period: null });
  expect(story.entries).toEqual([]);
});

it('L19, L42: a reading after the end leaves the entry about the end, also where it changes nothing', () => {
  const story = new Story();
  story.updated(15);
  story.now = period.end;
  read(story, [entry]);
  expect(story.entries.slice(1).map(({ kind, rule }) => [kind, rule])).toContainEqual(['timer', 'L42']);
});

it('L19: events that were received before a reading end alike whenever it reaches the reservation', () => {
  const periods = [period, moved, { start: moved.start + hour, end: moved.end }];
  fc.assert(
    fc.property(
      fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
      fc.nat(2),
      fc.nat(4),
      (reported, shown, place) => {
        const story = (readAfter: number) => {
          const one = new Story();
          one.registered();
          const evidence = { ...entry, ...periods[shown] } as lifecycle.ScheduleEntry;
          for (const [index, choice] of reported.entries()) {
            if (index === readAfter) read(one, [evidence]);
            one.updated(10, { period: periods[choice] as Period, contentHash: `${index}` });
          }
          if (readAfter >= reported.length) read(one, [evidence]);
          const { facts } = one.outlook;
          return { period: facts.period, marks: one.view.marks, changes: one.view.period?.changes };
        };
        expect(story(place)).toEqual(story(reported.length));
      },
    ),
  );
});
