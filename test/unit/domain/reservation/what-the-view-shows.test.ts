import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const { period } = whole;
const zoned = (instant: number) => new Date(instant + 9 * hour).toISOString().replace('Z', '+09:00');
const at = (hours: number) => origin + hours * hour;

/** A rental with everything that callbacks and staff can say of it, each at a time of its own. */
function wholeRental(): Story {
  const story = new Story();
  story.registered({
    productId: 7,
    pickupAddress: 'Station exit 3',
    pickupMemo: 'ring twice',
    driver: {
      name: 'Lee',
      birth: '19900101',
      phone: '01012345678',
      licenseNumber: '11-22',
      address: 'Seoul',
    },
    companion: { name: 'Park' },
  });
  story.at(at(1)).sendAction('dispatch.staff');
  story.at(at(2)).sendAction('dispatch.start');
  story.status(10);
  const body = {
    photo: { hash: 'p1', type: 'image/jpeg', size: 9 },
    parkingMemo: 'level 2',
    parkingLotType: 1 as const,
  };
  story.at(at(2.5)).sendAction('dispatch.parkingImage', { outcome: 'applied' }, { body });
  story.at(at(2.6)).sendAction('dispatch.carImage');
  story.at(at(3)).sendAction('dispatch.complete');
  story.status(15);
  story.at(at(4)).updated(20, { driving: { start: at(4) } });
  story.at(at(27)).updated(30, { driving: { start: at(4), end: at(27) } });
  story.at(at(28)).sendAction('recall.staff');
  story.at(at(29)).sendAction('recall.carImage');
  return story;
}

it('L15, L22: every fact stands in its field, and each step with its time, photo and person', () => {
  const story = wholeRental();
  const { view } = story;
  expect(view).toMatchObject({
    reservationId: 8421,
    status: { code: 30, name: 'return complete', grade: 'observed', since: zoned(at(27)) },
    display: 'use-completed',
    expected: { code: 35, by: zoned(at(27) + 12 * hour) },
    registered: true,
    marks: [],
    period: { start: zoned(period.start), end: zoned(period.end), changes: 0, grade: 'observed' },
    car: { id: 12, number: '12가3456', changes: 0, grade: 'observed' },
    company: whole.company,
    productId: 7,
    createdAt: zoned(whole.createdAt),
    pickup: { address: 'Station exit 3', memo: 'ring twice' },
    parking: { memo: 'level 2', imageUrl: null, lotType: 1 },
    driving: { start: zoned(at(4)), end: zoned(at(27)) },
    dispatch: {
      staff: { staffName: 'Kim', staffPhone: '01012345678', grade: 'commanded' },
      startedAt: zoned(at(2)),
      parkingImage: { hash: 'p1', type: 'image/jpeg', outdated: false, grade: 'commanded' },
      carImage: { hash: 'ab12', type: 'image/jpeg', outdated: false },
      completedAt: zoned(at(3)),
    },
    recall: {
      staff: { staffName: 'Kim', staffPhone: '01012345678' },
      carImage: { hash: 'ab12', type: 'image/jpeg', outdated: false },
      completedAt: null,
      note: null,
    },
    attention: [],
    danger: null,
    proposals: [],
    decisions: [],
    closed: false,
  });
  expect(view.driver).toMatchObject({ name: 'Lee', licenseNumber: '11-22', address: 'Seoul' });
  expect(view.commands.map(({ action, outcome }) => [action, outcome])).toEqual(
    [
      'dispatch.staff',
      'dispatch.start',
      'dispatch.parkingImage',
      'dispatch.carImage',
      'dispatch.complete',
      'recall.staff',
      'recall.carImage',
    ].map((action) => [action, 'applied']),
  );
  story.at(at(30)).sendAction('recall.complete', { outcome: 'applied' }, { body: { note: 'a scratch' } });
  expect(story.view.recall).toMatchObject({
    completedAt: zoned(at(30)),
    note: { text: 'a scratch', outcome: 'pending', by: 'dana' },
  });
  expect(story.view).toMatchObject({
    status: { code: 35, grade: 'commanded' },
    display: null,
    expected: null,
  });
});

it('L14: photos of a car that was replaced since are marked, each on its own', () => {
  const story = wholeRental();
  story.carChanged(12, 13);
  expect(story.view.dispatch).toMatchObject({
    parkingImage: { outdated: true },
    carImage: { outdated: true },
  });
  expect(story.view.recall.carImage).toMatchObject({ outdated: true });
  story.sendAction('recall.carImage');
  expect(story.view.recall.carImage).toMatchObject({ outdated: false });
  expect(story.view.dispatch.carImage).toMatchObject({ outdated: true });
});

it('L62: a parking image URL that is no web address, as an earlier release stored it, is not shown', () => {
  const shown = (imageUrl: string) => {
    const story = new Story();
    story.updated(10, { parking: { imageUrl } });
    return story.view.parking.imageUrl;
  };
  expect(shown('https://p.example/1')).toBe('https://p.example/1');
  expect(shown('javascript:alert(1)')).toBeNull();
});

it('nothing that was not reported stands in any field', () => {
  expect(new Story().view).toMatchObject({
    status: { code: null, name: 'unknown', grade: null, source: null, since: null },
    expected: null,
    display: null,
    registered: false,
    period: null,
    car: null,
    company: null,
    productId: null,
    createdAt: null,
    pickup: { address: null, memo: null },
    driver: null,
    companion: null,
    parking: { memo: null, imageUrl: null, lotType: null },
    driving: { start: null, end: null },
    dispatch: { staff: null, startedAt: null, parkingImage: null, carImage: null, completedAt: null },
    recall: { staff: null, carImage: null, completedAt: null, note: null },
    commands: [],
    attention: [],
    closed: false,
  });
});

it.each<[string, (story: Story) => unknown, object | null]>([
  ['nothing known', () => undefined, null],
  ['registered', (s) => s.registered(), { code: 10, by: zoned(period.start - hour) }],
  ['departed', (s) => s.updated(10), { code: 15, by: zoned(period.start) }],
  ['departed, period unknown', (s) => s.status(10), { code: 15, by: null }],
  ['dispatched', (s) => s.updated(15), { code: 20, by: null }],
  ['in use', (s) => s.updated(20), { code: 30, by: zoned(period.end) }],
  ['in use, period unknown', (s) => s.status(20), { code: 30, by: null }],
  ['late, its end ahead', (s) => s.updated(25), { code: 30, by: zoned(period.end) }],
  ['late, its end past', (s) => s.at(period.end).updated(25), { code: 30, by: null }],
  [
    'in use at its end',
    (s) => {
      s.updated(20);
      s.at(period.end);
    },
    { code: 25, by: zoned(period.end + 3 * minute) },
  ],
  [
    'dispatched at its end',
    (s) => {
      s.updated(15);
      s.at(period.end);
    },
    { code: 45, by: zoned(period.end + 3 * minute) },
  ],
  [
    'in use just before its end',
    (s) => {
      s.updated(20);
      s.at(period.end - 1);
    },
    { code: 30, by: zoned(period.end) },
  ],
  ['returned', (s) => s.updated(30), { code: 35, by: zoned(origin + 12 * hour) }],
  ['recalled', (s) => s.updated(35), null],
  ['cancelled', (s) => s.updated(40), null],
])('L42-L45: what is expected next: %s', (_, play, expected) => {
  const story = new Story();
  play(story);
  expect(story.view.expected).toEqual(expected);
});

it('L08, L09: what an event means after the end, by its status and by what it changes', () => {
  const cases: [string, (story: Story) => lifecycle.EventVerdict, string, string][] = [
    [
      'the same end with nothing new',
      (s) => s.updated(40, { eventId: 'x', contentHash: 'x' }),
      'duplicate',
      'L02',
    ],
    ['an earlier status that fits', (s) => s.status(10), 'stale', 'L08'],
    ['an earlier status that does not fit', (s) => s.status(20), 'after-terminal', 'L08'],
    ['another end that fits', (s) => s.status(45), 'after-terminal', 'L09'],
    ['another end that does not fit', (s) => s.status(35), 'conflict', 'L09'],
    ['another car', (s) => s.carChanged(12, 13), 'after-terminal', 'L08'],
    ['the same car', (s) => s.carChanged(12, 12), 'duplicate', 'L02'],
  ];
  for (const [name, play, verdict, rule] of cases) {
    const story = new Story();
    story.registered();
    story.updated(40);
    expect(play(story), name).toMatchObject({ verdict, rule });
  }
});

it('F61: the person reads how long there was when the schedule was read', () => {
  const { end } = period;
  const message = (startsIn: number) => {
    const story = new Story();
    story.registered();
    story.updated(20);
    story.at(end);
    const { lookAhead } = story.outlook;
    if (lookAhead === null) throw new Error('nothing to look up');
    const next = { scheduleId: 9, type: 'R' as const, start: end + startsIn, end: end + 9 * hour };
    story.take(
      lifecycle.applyLookAhead(story.state, lookAhead, { kind: 'seen', next, candidates: null }, end),
    );
    return story.view.attention.find(({ kind }) => kind === 'next-in-danger')?.message;
  };
  expect(message(-minute)).toContain('it had begun at');
  expect(message(0)).toContain('it had begun at');
  expect(message(minute)).toMatch(/(^|[^h\d] )1 min were left at/);
  expect(message(hour)).toContain('1 h 0 min were left at');
  expect(message(2 * hour + 5 * minute)).toContain('2 h 5 min were left at');
});
