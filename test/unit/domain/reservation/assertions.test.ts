import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, origin, Story, whole } from '../../../support/reservation-story.js';

const said = { reason: 'seen on the web site', by: 'manager' };
const otherCar = { id: 13, number: '34나5678' };

function assert(story: Story, facts: Omit<lifecycle.Assertion, 'reason' | 'by'>): void {
  expect(lifecycle.checkAssert(story.state, { ...facts, ...said })).toBeNull();
  story.take(lifecycle.assertFacts(story.state, { ...facts, ...said }, story.now));
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
  const refusal = (facts: object) => lifecycle.checkAssert(story.state, { ...facts, ...said })?.code;
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
    { at: '2026-11-21T09:00:00.000+09:00', by: 'manager', about: 'facts', reason: said.reason },
  ]);
  expect(JSON.stringify(story.entries)).not.toContain(said.reason);
});

it('L10: a status that a manager set aside is not reported anew by the other callback of the same change', () => {
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
