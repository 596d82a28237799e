import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, origin, Story, whole } from '../../../support/reservation-story.js';

const asserted = { reason: 'seen on the web site', by: 'manager' };
const otherCar = { id: 13, number: '34나5678' };

function assert(story: Story, facts: Omit<lifecycle.Assertion, 'reason' | 'by'>): void {
  expect(lifecycle.checkAssert(story.state, { ...facts, ...asserted })).toBeNull();
  story.take(lifecycle.assertFacts(story.state, { ...facts, ...asserted }, story.now));
}

it('a person adopts an unannounced reservation', () => {
  const story = new Story();
  assert(story, { status: 10, carId: 12, startAt: origin + hour, endAt: origin + 2 * hour });
  expect(story.view).toMatchObject({
    status: { code: 10, grade: 'asserted' },
    car: { id: 12, grade: 'asserted' },
    period: { start: '2026-11-21T10:00:00.000+09:00', grade: 'asserted' },
    registered: false,
  });
});

it('L09: a person decides a conflict, and callbacks continue from there', () => {
  const story = new Story();
  story.updated(20);
  story.updated(45, { car: otherCar });
  expect(story.kinds).toContain('terminal-contradiction');
  assert(story, { status: 20 });
  expect(story.kinds).not.toContain('terminal-contradiction');
  expect(story.view.status).toMatchObject({ code: 20, grade: 'observed' });
  expect(story.updated(30, { car: whole.car }).verdict).toBe('applied');
  expect(story.view).toMatchObject({ status: { code: 30 }, car: { id: 12 } });
});

it('L13: a person decides an ambiguous fact: earlier reports no longer count, later ones do', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { car: otherCar });
  expect(story.view.marks).toContain('ambiguous:car');
  assert(story, { carId: 12 });
  expect(story.view.marks).not.toContain('ambiguous:car');
  story.updated(10, { car: otherCar, pickupMemo: 'gate 2' });
  expect(story.view.car).toMatchObject({ id: 12, grade: 'asserted' });
  story.updated(10, { car: { id: 14, number: null } });
  expect(story.view.car?.id).toBe(14);
  expect(story.view.marks).toContain('ambiguous:car');
});

it('a callback that agrees makes an asserted fact observed', () => {
  const story = new Story();
  assert(story, { carId: 12, status: 10 });
  story.updated(10);
  expect(story.view).toMatchObject({
    status: { grade: 'observed' },
    car: { id: 12, number: '12가3456', grade: 'observed' },
  });
});

it('an assertion without a fact, with an unknown status, with half a period, or with one that ends before it starts is refused', () => {
  const story = new Story();
  const refusal = (facts: object) => lifecycle.checkAssert(story.state, { ...facts, ...asserted })?.code;
  expect(refusal({})).toBe('NOTHING_ASSERTED');
  expect(refusal({ status: 7 })).toBe('NOTHING_ASSERTED');
  expect(refusal({ endAt: origin })).toBe('PERIOD_INCOMPLETE');
  story.registered();
  expect(refusal({ endAt: origin + 9 * hour })).toBeUndefined();
  expect(refusal({ endAt: whole.period.start })).toBe('PERIOD_REVERSED');
  expect(refusal({ startAt: origin + 2, endAt: origin + 1 })).toBe('PERIOD_REVERSED');
});

it('L60: the reason is stored and not in the timeline', () => {
  const story = new Story();
  assert(story, { status: 5 });
  expect(story.view.decisions).toEqual([
    { at: '2026-11-21T09:00:00.000+09:00', by: 'manager', about: 'facts', reason: asserted.reason },
  ]);
  expect(JSON.stringify(story.entries)).not.toContain(asserted.reason);
});

it('L10: a status that a manager set aside is not reported again by the other callback of the same change', () => {
  const story = new Story();
  story.updated(15);
  story.updated(45);
  story.status(20);
  expect(story.kinds).toContain('terminal-contradiction');
  story.at(origin + hour);
  assert(story, { status: 20 });
  expect(story.status(45, { changedAt: origin })).toMatchObject({ verdict: 'duplicate', rule: 'L10' });
  story.updated(45, { pickupMemo: 'gate 2' });
  expect(story.view).toMatchObject({ status: { code: 20 }, pickup: { memo: 'gate 2' } });
  expect(story.kinds).not.toContain('terminal-contradiction');
});

it('L10: a change after the assertion of a manager counts again', () => {
  const story = new Story();
  story.updated(15);
  assert(story, { status: 10 });
  expect(story.updated(15).verdict).not.toBe('applied');
  expect(story.status(15, { changedAt: origin + 1 }).verdict).toBe('applied');
  expect(story.view.status).toMatchObject({ code: 15, grade: 'observed' });
  expect(story.state.overruled).toEqual([]);
});

it('L10: a later assertion of a manager for a status that was set aside stays', () => {
  const story = new Story();
  story.updated(15);
  assert(story, { status: 10 });
  assert(story, { status: 15 });
  expect(story.updated(15, { pickupMemo: 'gate 2' }).verdict).toBe('applied');
  expect(story.view.status).toMatchObject({ code: 15, grade: 'observed' });
});

it.each([
  ['L05', 'where no status was known', 'status 10 (was unknown)', (story: Story) => story],
  [
    'L10',
    'over contradicting statuses',
    'status 10 (was 45)',
    (story: Story) => [story.status(20), story.status(45)],
  ],
  [
    'L10',
    'over conflicting statuses',
    'status 10 (was 40)',
    (story: Story) => [story.status(40), story.status(50)],
  ],
  ['L13', 'over any other status', 'status 10 (was 15)', (story: Story) => story.status(15)],
] as const)('%s: is the rule of an assertion %s', (rule, _, text, happen) => {
  const story = new Story();
  happen(story);
  assert(story, { status: 10 });
  const entry = story.entries.findLast(({ text }) => text.startsWith('manager asserted'));
  expect(entry).toMatchObject({ kind: 'decision', rule });
  expect(entry?.text).toContain(`manager asserted: ${text}.`);
});

it.each([
  [{ status: 10 }, 'status 10 (was 5)'],
  [{ carId: 13 }, 'car 13 (was 12)'],
  [{ startAt: origin + hour }, 'start 2026-11-21T10:00:00.000+09:00 (was 2026-11-21T13:00:00.000+09:00)'],
  [{ endAt: origin + 9 * hour }, 'end 2026-11-21T18:00:00.000+09:00 (was 2026-11-22T13:00:00.000+09:00)'],
])('L13: the entry of an assertion has the asserted facts alone: %j', (facts, text) => {
  const story = new Story();
  story.registered();
  assert(story, facts);
  const entry = story.entries.find(({ kind }) => kind === 'decision');
  expect(entry?.text).toContain(`manager asserted: ${text}.`);
  const { status, carId, startAt, endAt } = entry?.data ?? {};
  expect({ status, carId, startAt, endAt }).toEqual({
    status: undefined,
    carId: undefined,
    startAt: undefined,
    endAt: undefined,
    ...facts,
  });
  expect(Object.keys(entry?.data ?? {}).filter((key) => /status|carId|startAt|endAt/.test(key))).toEqual(
    Object.keys(facts),
  );
});

it('L13: the facts that an assertion leaves out stay as they were reported', () => {
  const story = new Story();
  story.registered();
  assert(story, { status: 10 });
  expect(story.view).toMatchObject({ car: { grade: 'observed' }, period: { grade: 'observed' } });
  assert(story, { carId: 13 });
  expect(story.view).toMatchObject({ status: { code: 10 }, car: { id: 13 }, period: { grade: 'observed' } });
  assert(story, { startAt: origin + hour });
  expect(story.view).toMatchObject({
    car: { id: 13 },
    period: {
      start: '2026-11-21T10:00:00.000+09:00',
      end: '2026-11-22T13:00:00.000+09:00',
      grade: 'asserted',
    },
  });
});

it('a period that was reported as ending before it starts is no obstacle to the assertion of another fact', () => {
  const story = new Story();
  story.registered({ period: { start: whole.period.end, end: whole.period.start } });
  const refusal = (facts: object) => lifecycle.checkAssert(story.state, { ...facts, ...asserted })?.code;
  expect(refusal({ status: 10 })).toBeUndefined();
  expect(refusal({ carId: 13 })).toBeUndefined();
  expect(refusal({ startAt: whole.period.end + 1 })).toBe('PERIOD_REVERSED');
});

it('half a period that stays unknown is not asserted', () => {
  const story = new Story();
  story.status(5);
  story.take(lifecycle.assertFacts(story.state, { carId: 12, endAt: origin, ...asserted }, story.now));
  expect(story.view).toMatchObject({ car: { id: 12 }, period: null });
});

it('a car that is asserted as it was reported has its number, and is no other car; another one has none', () => {
  const story = new Story();
  story.registered();
  assert(story, { carId: 12 });
  expect(story.view.car).toMatchObject({ id: 12, number: '12가3456', grade: 'asserted', changes: 0 });
  story.updated(5);
  expect(story.view).toMatchObject({ car: { id: 12, grade: 'observed', changes: 0 }, marks: [] });
  assert(story, { carId: 13 });
  expect(story.view.car).toMatchObject({ id: 13, number: null, changes: 1 });
});

it('L13: an assertion stands at the present status: what is reported at an earlier one does not change it', () => {
  const story = new Story();
  story.registered();
  story.status(10);
  const period = { start: origin + hour, end: origin + 2 * hour };
  assert(story, { carId: 13, startAt: period.start, endAt: period.end });
  story.updated(5, { pickupMemo: 'gate 2' });
  expect(story.view).toMatchObject({
    car: { id: 13, grade: 'asserted' },
    period: { end: '2026-11-21T11:00:00.000+09:00', grade: 'asserted' },
  });
  story.updated(10);
  expect(story.view).toMatchObject({ car: { id: 13 }, marks: [] });
});

it('L13: of two texts the one that came after an assertion is the newer one', () => {
  const story = new Story();
  story.registered();
  story.updated(10, { pickupMemo: 'gate 1' });
  assert(story, { carId: 13 });
  expect(story.state.arrivals).toBe(3);
  story.updated(10, { pickupMemo: 'gate 2' });
  expect(story.view.pickup.memo).toBe('gate 2');
});

it('L10: each status that an assertion sets aside is stored with its time, and no other', () => {
  const story = new Story();
  story.registered();
  story.updated(15);
  story.status(45);
  story.at(origin + hour);
  assert(story, { status: 15 });
  expect(story.state.overruled).toEqual([{ code: 45, at: origin + hour }]);
  story.status(20);
  story.at(origin + 2 * hour);
  assert(story, { status: 10 });
  expect(story.state.overruled).toEqual([
    { code: 45, at: origin + hour },
    { code: 15, at: origin + 2 * hour },
    { code: 20, at: origin + 2 * hour },
  ]);
  expect(story.state.statuses.map(({ code }) => code)).toEqual([5, 10]);
});

it('L10: what was reported at a status that is set aside counts at the asserted one, what was reported before stays there', () => {
  const story = new Story();
  story.updated(10, { pickupMemo: 'gate 1' });
  story.updated(30, { parking: { memo: 'B1' } });
  assert(story, { status: 20 });
  story.updated(15, { pickupMemo: 'gate 2', parking: { memo: 'B2' } });
  expect(story.view).toMatchObject({ pickup: { memo: 'gate 2' }, parking: { memo: 'B1' } });
  story.updated(25, { parking: { memo: 'B3' } });
  expect(story.view.parking.memo).toBe('B3');
});

it('L11: an assertion of the status settles which unknown one was reported', () => {
  const story = new Story();
  story.updated(10);
  story.status(99);
  expect(story.kinds).toContain('unknown-status');
  assert(story, { carId: 12 });
  expect(story.kinds).toContain('unknown-status');
  assert(story, { status: 10 });
  expect(story.kinds).not.toContain('unknown-status');
  expect(story.view.marks).not.toContain('unknown-status:99');
});

it('L14: an assertion of the car counts over earlier car changes', () => {
  const story = new Story();
  story.updated(10);
  story.carChanged(12, 14);
  assert(story, { carId: 13 });
  expect(story.view).toMatchObject({ car: { id: 13 }, marks: ['adopted'] });
  story.carChanged(13, 15);
  expect(story.view.car?.id).toBe(15);
});

it('F60: a later end that a manager asserts while the customer has the car calls for a reading of what comes next', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  expect(story.outlook.lookAhead).toBeNull();
  assert(story, { endAt: whole.period.end + 2 * hour });
  expect(story.outlook.lookAhead).not.toBeNull();
});

it('L42: the end of the period that has passed unnoticed is recorded before an assertion', () => {
  const story = new Story();
  story.registered();
  story.now = whole.period.end + hour;
  assert(story, { carId: 13 });
  const [timer, decision] = story.entries
    .slice(-20)
    .filter(
      ({ kind, rule }) => (rule === 'L42' && kind === 'timer') || (kind === 'decision' && rule === 'L13'),
    );
  expect(timer).toMatchObject({ rule: 'L42', text: expect.stringMatching(/^The period has ended/) });
  expect(decision?.text).toContain('manager asserted');
});
