import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const { period } = whole;
const ending = (hours: number) => ({ ...period, end: period.end + hours * hour });

it('L01: a repeat of the newest report at a lower rung stays a duplicate when a higher rung was reported', () => {
  const story = new Story();
  story.updated(10);
  story.updated(15);
  expect(story.updated(10)).toMatchObject({ verdict: 'duplicate', rule: 'L01' });
});

it('L11: of unknown status codes only the newest are stored', () => {
  const story = new Story();
  story.registered();
  for (let code = 100; code < 150; code++) story.status(code);
  const codes = story.state.unknownStatuses.map(({ code }) => code);
  expect(codes.length).toBeLessThan(50);
  expect(codes.at(-1)).toBe(149);
});

it('of fields that cannot be read only a few names are stored, in their order', () => {
  const story = new Story();
  const malformed = Array.from({ length: 80 }, (_, index) => `field-${index + 10}`);
  story.registered({ malformed });
  expect(story.state.malformed.length).toBeLessThan(80);
  expect(story.state.malformed).toEqual(malformed.slice(0, story.state.malformed.length));
});

it('L13: a value that only one report named is unknown again when a replay of that report reads another value', () => {
  const story = new Story();
  story.observe(story.event('update', { status: 10, ...whole }));
  story.at(origin + minute);
  const second = story.event('update', { status: 10, ...whole, period: ending(5) });
  story.observe(second);
  const again = { period: ending(9), eventId: 'again', contentHash: 'again', replay: 1 };
  story.observe({ ...second, ...again });
  expect(story.view.period).toMatchObject({ changes: 1, end: '2026-11-22T22:00:00.000+09:00' });
});

it.each([
  ['the car', { carId: 13 }],
  ['the start', { start: period.start + hour }],
  ['the end', { end: period.end + hour }],
])('L19: a schedule that differs only in %s raises attention', (_, difference) => {
  const story = new Story();
  story.registered();
  const at = origin + minute;
  const entry = { scheduleId: 77, carId: 12, ...period, ...difference };
  story.at(at).take(lifecycle.corroborate(story.state, { at, entry, candidates: [], confirmed: true }, at));
  expect(story.kinds).toEqual(['schedule-differs']);
});

it.each([
  ['dispatch.staff', 'L25'],
  ['dispatch.parkingImage', 'L25'],
  ['dispatch.complete', 'L24'],
] as const)('an unknown outcome of %s that is not sent again is explained by %s', (action, rule) => {
  const story = new Story();
  story.registered();
  story.sendAction('dispatch.staff');
  story.sendAction('dispatch.start');
  story.sendAction(action, { outcome: 'unknown', code: 'RUN_LOST' }, { override: { reason: 'a test' } });
  const entries = story.entries.filter(({ data }) => data.outcome === 'unknown');
  expect(entries.map((entry) => entry.rule)).toEqual([rule]);
});

it('L22, G16: the status that an answer names is believed as commanded', () => {
  const story = new Story();
  story.registered();
  story.sendAction('dispatch.staff');
  story.sendAction('dispatch.start', { outcome: 'applied', status: 15 });
  expect(story.view.status).toMatchObject({ code: 15, grade: 'commanded' });
});

it('L05: each assertion counts at the rung that is believed', () => {
  const story = new Story();
  story.updated(15);
  const asserted = { reason: 'seen on the web site', by: 'manager' };
  story.take(lifecycle.assertFacts(story.state, { endAt: period.end + hour, ...asserted }, story.now));
  story.updated(10, { period: ending(5) });
  expect(story.view.period).toMatchObject({ end: '2026-11-22T14:00:00.000+09:00', grade: 'asserted' });
});

it('L23: the platform’s own text about a rejected command is stored with it, where it exists', () => {
  const story = new Story();
  story.registered();
  story.sendAction('dispatch.staff');
  const rejected = { outcome: 'rejected', code: 'NOT_FOUND', message: 'not there' } as const;
  const without = story.sendAction('dispatch.start', rejected);
  const withText = story.sendAction('dispatch.start', {
    ...rejected,
    platformMessage: 'no such reservation',
  });
  expect(story.shown(without)).not.toHaveProperty('platformMessage');
  expect(story.shown(withText)).toMatchObject({ platformMessage: 'no such reservation' });
});

it('a start that a person asserts changes only the start', () => {
  const story = new Story();
  story.registered();
  const facts = { startAt: period.start + hour, reason: 'seen on the web site', by: 'manager' };
  story.take(lifecycle.assertFacts(story.state, facts, story.now));
  expect(story.outlook.facts.period).toEqual({ start: period.start + hour, end: period.end });
  expect(story.entries.at(-1)?.data).toMatchObject({ toStart: period.start + hour });
});
