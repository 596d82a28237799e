import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { fingerprint } from '../../../../src/domain/shared/hash.js';
import { waitsFor } from '../../../../src/domain/shared/outcome.js';
import { platformStamp, stamp } from '../../../../src/domain/shared/time.js';
import { hour, minute, origin, override, Story, whole } from '../../../support/reservation-story.js';

const { period } = whole;
const asserted = { reason: 'seen on the web site', by: 'manager' };

it('L11: an unknown status is stored once, however often it is reported', () => {
  const story = new Story();
  story.registered();
  story.status(99);
  story.at(origin + minute).status(99, { eventId: 'again', contentHash: 'again' });
  expect(story.state.unknownStatuses).toEqual([{ code: 99, at: origin }]);
});

it('F60: a rental that was extended and is back calls for no reading of what comes next', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  const longer = { ...period, end: period.end + 5 * hour };
  story.updated(20, { period: longer });
  expect(story.outlook.lookAhead).not.toBeNull();
  story.updated(30, { period: longer });
  expect(story.outlook.lookAhead).toBeNull();
});

it('L24: a callback of a later status resolves an unknown command, and dates nothing that it does not report', () => {
  const story = new Story();
  story.registered();
  const commandId = story.sendAction('dispatch.start', { outcome: 'unknown', code: 'TIMEOUT' }, { override });
  story.status(15);
  expect(story.shown(commandId)).toMatchObject({ outcome: 'applied' });
  expect(story.view.dispatch.startedAt).toBeNull();
  expect(story.state.statuses.map(({ code }) => code)).toEqual([5, 15]);
});

it('L13: what a callback reports at a status wins over what we sent there, and is not in doubt', () => {
  const story = new Story();
  story.registered();
  story.updated(10, { parking: { memo: 'level 1' } });
  const body = { photo: { hash: 'p1', type: 'image/jpeg', size: 9 }, parkingMemo: 'level 2' };
  story.sendAction('dispatch.parkingImage', { outcome: 'applied' }, { body, override });
  expect(story.view.parking.memo).toBe('level 1');
  expect(story.view.marks).toEqual([]);
});

it('L13, L24: what a command carried that a callback resolves ends a doubt of an earlier status at once', () => {
  const story = new Story({ ambiguousMs: hour });
  story.updated(10, { parking: { memo: 'level 1' } });
  story.updated(10, { parking: { memo: 'level 2' } });
  const carried = { override, body: { parkingMemo: 'level 3' } };
  story.sendAction('dispatch.complete', { outcome: 'unknown', code: 'TIMEOUT' }, carried);
  expect(story.at(origin + hour).kinds).toContain('ambiguous');
  story.status(15);
  expect(story.view.parking.memo).toBe('level 3');
  expect(story.kinds).toEqual([]);
});

it('L13: of two values that arrived as one, in whichever order, one is shown and both are in doubt since the second', () => {
  const story = new Story();
  story.updated(10);
  story.at(origin + minute).updated(10, { period: { ...period, end: period.end + hour } });
  story.at(origin + 2 * minute).updated(10, { period: { ...period, end: period.end + 2 * hour } });
  expect(story.view.marks).toContain('ambiguous:period');
  expect(story.view.period).toMatchObject({ changes: 2, end: '2026-11-22T15:00:00.000+09:00' });
  const deadline = origin + minute + story.state.policy.ambiguousMs;
  story.at(deadline - 1);
  expect(story.kinds).not.toContain('ambiguous');
  expect(story.at(deadline).kinds).toContain('ambiguous');
});

it('L13: the timeline has each asserted fact with its value before and after', () => {
  const story = new Story();
  story.registered();
  const facts = {
    status: 10,
    carId: 13,
    startAt: period.start + hour,
    endAt: period.end + hour,
    ...asserted,
  };
  story.take(lifecycle.assertFacts(story.state, facts, story.now));
  const { text } = story.entries.find(({ kind }) => kind === 'decision') ?? { text: '' };
  const at = (instant: number) => stamp(instant, 540);
  for (const part of [
    'status 10 (was 5)',
    'car 13 (was 12)',
    `start ${at(period.start + hour)} (was ${at(period.start)})`,
    `end ${at(period.end + hour)} (was ${at(period.end)})`,
  ])
    expect(text).toContain(part);
});

it('F58, F59: the entry of a note names the rule of its end', () => {
  const rules = (answer: Parameters<typeof lifecycle.applyNoteAnswer>[2]) => {
    const story = new Story();
    story.registered();
    story.updated(30);
    story.sendAction(
      'recall.complete',
      { outcome: 'applied' },
      { override, body: { note: 'a scratch' }, commandId: 'r' },
    );
    story.take(lifecycle.applyNoteAnswer(story.state, 'r', answer, story.now));
    return story.entries.filter(({ rule }) => /F5\d/.test(rule)).map(({ rule }) => rule);
  };
  expect(rules({ outcome: 'applied', memoId: 5 })).toEqual(['F58']);
  expect(rules({ outcome: 'held-back', code: 'RATE_LIMITED' })).toEqual(['F58']);
  expect(rules({ outcome: 'unknown', code: 'TIMEOUT' })[0]).toBe('F59');
  expect(rules({ outcome: 'rejected', code: 'NOT_FOUND', message: 'no' })[0]).toBe('F59');
});

it('timestamps name the zone: east with plus, west with minus, UTC with plus', () => {
  expect(stamp(0, 0)).toBe('1970-01-01T00:00:00.000+00:00');
  expect(stamp(0, 330)).toBe('1970-01-01T05:30:00.000+05:30');
  expect(stamp(0, -570)).toBe('1969-12-31T14:30:00.000-09:30');
  expect(platformStamp(0, 540)).toBe('1970-01-01T09:00:00.000+0900');
});

it('L01: equal content has one fingerprint, whatever the order of its fields and fields without a value', () => {
  expect(fingerprint({ a: 1, b: [2, null] })).toBe(fingerprint({ b: [2, null], a: 1, c: undefined }));
  const different = [
    {},
    [],
    null,
    undefined === null,
    '',
    0,
    'null',
    [null],
    [[]],
    { a: null },
    { a: 0 },
    { b: 0 },
  ];
  expect(new Set(different.map(fingerprint)).size).toBe(different.length);
});

it.each([
  ['RATE_LIMITED', 'platform'],
  ['UNREACHABLE', 'platform'],
  ['UNAUTHORIZED', 'key'],
  ['FORBIDDEN', 'key'],
  ['ROLE_SUSPENDED', 'key'],
  ['NOT_STARTED', 'handover'],
  ['ATTEMPT_EXPIRED', 'handover'],
  ['ATTEMPT_NOT_RECORDED', 'handover'],
  ['BOOKING_NOT_KEPT', 'handover'],
  ['PHOTO_STORE_UNAVAILABLE', 'handover'],
  ['ILLEGAL_STATE', 'nothing'],
  ['TIMEOUT', 'nothing'],
  ['constructor', 'nothing'],
])('L30: a request that ended with %s waits for %s', (code, what) =>
  expect(waitsFor(code) ?? 'nothing').toBe(what),
);
