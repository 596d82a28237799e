import { expect, it } from 'vitest';
import { day, hour, minute, origin, photo, Story, whole } from '../../../support/reservation-story.js';

const otherCar = { id: 13, number: '34나5678' };
const longer = { ...whole.period, end: whole.period.end + 5 * hour };

it('L01: the same event id again is a duplicate and changes nothing', () => {
  const story = new Story();
  const event = story.event('update', { status: 10, ...whole });
  story.observe(event);
  const before = { ...story.state, seq: 0 };
  expect(story.observe(event)).toMatchObject({ verdict: 'duplicate', rule: 'L01' });
  expect({ ...story.state, seq: 0 }).toEqual(before);
});

it('L01: the same content under another id is a duplicate', () => {
  const story = new Story();
  story.registered();
  expect(story.registered().verdict).toBe('duplicate');
});

it.each([
  ['update', 'status'],
  ['status', 'update'],
] as const)('L02: one change by %s and by %s has one effect', (first, second) => {
  const story = new Story();
  story.registered();
  const parts = { update: { status: 10, ...whole }, status: { status: 10, changedAt: origin } };
  expect(story.observe(story.event(first, parts[first])).verdict).toBe('applied');
  expect(story.observe(story.event(second, parts[second]))).toMatchObject({
    verdict: 'duplicate',
    rule: 'L02',
  });
});

it('L03: an older rung never moves the status, the period or the car back', () => {
  const story = new Story();
  story.updated(15, { period: longer, car: otherCar });
  expect(story.updated(10).verdict).toBe('stale');
  expect(story.view.status.code).toBe(15);
  expect(story.view.car).toMatchObject({ id: 13, changes: 1 });
  expect(story.state.facts.period?.claims[0]?.value).toEqual(longer);
});

it('L03: a stale event fills missing values and turns an inferred rung into an observed one', () => {
  const story = new Story();
  story.status(15);
  expect(story.view.dispatch.startedAt).toBeNull();
  expect(story.updated(10, { pickupAddress: 'Seoul Station' }).verdict).toBe('stale');
  expect(story.view).toMatchObject({ pickup: { address: 'Seoul Station' }, car: { id: 12 } });
  expect(story.view.dispatch.startedAt).not.toBeNull();
});

it('L04: a skipped rung is inferred and marked so', () => {
  const story = new Story();
  story.registered();
  expect(story.status(15)).toMatchObject({ verdict: 'applied', rule: 'L04' });
  expect(story.entries.at(-1)?.text).toContain('Inferred: 10');
});

it('L05: an event before the registration starts from its own values; unknown facts are null', () => {
  const story = new Story();
  expect(story.status(10)).toMatchObject({ verdict: 'applied', rule: 'L05' });
  expect(story.view).toMatchObject({ registered: false, marks: ['adopted'], period: null, car: null });
  expect(story.view.expected).toEqual({ code: 15, by: null });
  expect(story.kinds).toEqual([]);
  story.at(origin + 10 * minute);
  expect(story.kinds).toEqual(['incomplete']);
  story.registered();
  expect(story.view).toMatchObject({ registered: true, marks: [], status: { code: 10 }, car: { id: 12 } });
  expect(story.kinds).toEqual([]);
});

it('L06: a registration with another status than 5 counts as an update and is marked', () => {
  const story = new Story();
  story.registered({ status: 10 });
  expect(story.view.status.code).toBe(10);
  expect(story.view.marks).toEqual(['spec-violation']);
  expect(story.kinds).toEqual(['spec-violation']);
});

it('L07: a registration precedes every update, whenever it comes', () => {
  const story = new Story();
  story.updated(5, { car: otherCar });
  story.registered();
  expect(story.view.car).toMatchObject({ id: 13, changes: 1 });
  expect(story.view.marks).toEqual([]);
});

it('L07: two registrations with different cars are ambiguous', () => {
  const story = new Story();
  story.registered();
  story.registered({ car: otherCar });
  expect(story.view.car?.id).toBe(13);
  expect(story.view.marks).toEqual(['ambiguous:car']);
});

it.each([
  [45, 20],
  [45, 25],
  [45, 30],
  [40, 20],
  [40, 30],
  [50, 10],
])('L08: %i and %i cannot both be true: the terminal stays, whichever came first', (terminal, rung) => {
  const first = new Story();
  first.registered();
  first.updated(terminal);
  expect(first.status(rung).verdict).toBe('after-terminal');
  const last = new Story();
  last.registered();
  last.updated(rung);
  last.status(terminal);
  for (const story of [first, last]) {
    expect(story.view.status.code).toBe(terminal);
    expect(story.kinds).toContain('terminal-contradiction');
  }
});

it('L08: an older rung that the history contains is stale after a terminal', () => {
  const story = new Story();
  story.registered();
  story.updated(40);
  expect(story.status(10).verdict).toBe('stale');
  expect(story.view.status.code).toBe(40);
});

it.each([
  [35, 40, 35],
  [45, 50, 50],
  [50, 40, 40],
])('L09: of %i and %i the terminal %i is shown, in either order', (a, b, shown) => {
  for (const [first, second] of [[a, b] as const, [b, a] as const]) {
    const story = new Story();
    story.status(first);
    expect(story.status(second).verdict).toBe('conflict');
    expect(story.view.status.code).toBe(shown);
    expect(story.view.marks).toContain('conflict');
    expect(story.kinds).toContain('conflict');
  }
});

it('L09: 40 next to 45 is harmless', () => {
  const story = new Story();
  story.status(45);
  story.status(40);
  expect(story.view.status.code).toBe(40);
  expect(story.view.marks).not.toContain('conflict');
});

it('L10: statuses that no legal history contains are a conflict, and the highest stands', () => {
  const story = new Story({ fromStates: { '10': [5], '15': [5], '20': [15] } });
  story.status(10);
  expect(story.status(15)).toMatchObject({ verdict: 'conflict', rule: 'L10' });
  expect(story.view.status.code).toBe(15);
  expect(story.kinds).toContain('conflict');
});

it('L10: lateness alone is never a conflict', () => {
  const story = new Story();
  story.status(30);
  expect(story.status(25).verdict).toBe('stale');
  expect(story.view.marks).toEqual(['adopted']);
});

it('L11: an unknown status is stored and shown; the last rung stays and its fields merge there', () => {
  const story = new Story();
  story.registered();
  expect(story.updated(99, { car: otherCar }).verdict).toBe('unknown-status');
  expect(story.view).toMatchObject({ status: { code: 5 }, marks: ['unknown-status:99'], car: { id: 13 } });
  story.updated(99, { car: otherCar, pickupMemo: 'gate 2' });
  expect(story.kinds).toEqual(['unknown-status']);
});

it('L12: a moved end moves the deadlines', () => {
  const story = new Story();
  story.updated(20);
  story.updated(20, { period: longer });
  story.at(whole.period.end + minute);
  expect(story.kinds).not.toContain('return-late');
  story.at(longer.end);
  expect(story.kinds).toContain('return-late');
});

it('L13: two values at one rung are ambiguous until a higher rung decides', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { period: longer });
  expect(story.view.marks).toContain('ambiguous:period');
  expect(story.kinds).toEqual([]);
  story.updated(15, { period: longer });
  expect(story.view.marks).not.toContain('ambiguous:period');
  expect(story.view.period?.changes).toBe(1);
});

it('L13: the chain of previous cars orders values of one rung', () => {
  const story = new Story();
  story.updated(10, { car: otherCar });
  story.updated(10);
  story.carChanged(12, 13);
  expect(story.view.car?.id).toBe(13);
  expect(story.view.marks).not.toContain('ambiguous:car');
});

it('L13: changedAt orders values of one rung', () => {
  const story = new Story();
  story.updated(10, { period: longer, changedAt: origin + 2 });
  story.updated(10, { changedAt: origin + 1 });
  expect(story.state.facts.period?.claims).toHaveLength(2);
  expect(story.view.period?.end).toBe('2026-11-22T18:00:00.000+09:00');
  expect(story.view.marks).not.toContain('ambiguous:period');
});

it('L13: a fact that is ambiguous for a day raises attention', () => {
  const story = new Story();
  story.updated(10);
  story.updated(10, { period: longer });
  story.at(origin + day);
  expect(story.kinds).toContain('ambiguous');
});

it('L14: a changed car invalidates photos of the old one; staff and status stay', () => {
  const story = new Story();
  story.registered();
  story.prepareDispatch();
  story.carChanged(12, 13);
  expect(story.view.dispatch).toMatchObject({
    staff: { staffName: 'Kim' },
    carImage: { hash: photo.hash, outdated: true },
  });
  expect(story.view.status.code).toBe(10);
  expect(story.refusal('dispatch.complete')?.code).toBe('OUT_OF_ORDER');
  expect(story.entries.at(-1)?.text).toContain('from 12 (12가3456) to 13');
});

it('L15: a companion absent from a whole reservation was removed; other absent fields keep their value', () => {
  const story = new Story();
  story.registered({ companion: { name: 'Lee' }, pickupMemo: 'gate 2' });
  story.status(10);
  expect(story.view.companion).toEqual({ name: 'Lee' });
  story.updated(10);
  expect(story.view).toMatchObject({ companion: null, pickup: { memo: 'gate 2' } });
});

it('L16: parking facts and driving times stay once known', () => {
  const story = new Story();
  story.updated(15, {
    parking: { memo: 'B2', imageUrl: 'https://p.example/1', lotType: 1 },
    driving: { start: origin },
  });
  story.updated(20);
  expect(story.view.parking).toEqual({ memo: 'B2', imageUrl: 'https://p.example/1', lotType: 1 });
  expect(story.view.driving.start).toBe('2026-11-21T09:00:00.000+09:00');
});

it('L16: a driving start means the car was used: 45 is not expected', () => {
  const story = new Story();
  story.updated(15, { driving: { start: origin } });
  story.at(whole.period.end + hour);
  expect(story.view.expected?.code).toBe(25);
});

it.each([
  ['ends before it starts', { start: origin + hour, end: origin }, true],
  ['starts before it was booked', { start: origin - 2 * hour, end: origin + hour }, true],
  ['lasts 40 days', { start: origin, end: origin + 40 * 24 * hour }, false],
])('L17: a period that %s is accepted and marked', (_name, period, needsPerson) => {
  const story = new Story();
  story.registered({ period });
  expect(story.view.marks).toEqual(['odd-period']);
  expect(story.kinds.includes('odd-period')).toBe(needsPerson);
});

it.each<[string, 'is marked as odd' | 'is not marked', number, number]>([
  ['that lasts 31 days', 'is not marked', 0, 31 * day],
  ['that lasts longer', 'is marked as odd', 0, 31 * day + 1],
  ['that begins when it was booked', 'is not marked', -hour, 0],
  ['that begins before', 'is marked as odd', -hour - 1, 0],
  ['that ends when it starts', 'is marked as odd', 0, 0],
  ['that lasts a moment', 'is not marked', 0, 1],
])('L17: a period %s %s', (_, expected, start, end) => {
  const story = new Story();
  story.registered({ period: { start: origin + start, end: origin + end } });
  expect(story.view.marks).toEqual(expected === 'is marked as odd' ? ['odd-period'] : []);
});

it('L17: of a reservation whose creation is not known no start is too early', () => {
  const story = new Story();
  story.status(5, { period: { start: 0, end: 1 } });
  expect(story.view).toMatchObject({ createdAt: null, marks: ['adopted'] });
});

it('L61: fields whose form breaks the specification are stored unchanged and marked', () => {
  const story = new Story();
  story.registered({ malformed: ['driverPhone'] });
  expect(story.view.marks).toEqual(['malformed:driverPhone']);
});
