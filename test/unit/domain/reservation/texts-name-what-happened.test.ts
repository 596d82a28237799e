import { expect, it } from 'vitest';
import { belief } from '../../../../src/domain/reservation/belief.js';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  hour,
  minute,
  origin,
  override,
  photo,
  Story,
  storyAt,
  unknown,
  whole,
} from '../../../support/reservation-story.js';
import { attentionTexts, read } from '../../../support/sentences.js';

const { start, end } = whole.period;

const booking = {
  commandId: 'b-1',
  by: 'lee',
  at: origin,
  settledBy: 'answer',
  status: 'confirmed',
  carNumber: null,
  productId: 3,
  period: whole.period,
  driver: { name: 'Kim', birth: null, phone: null, licenseNumber: null, address: null },
  companion: null,
  pickupAddress: 'Seoul',
} as const;
/** Applies a reading of what follows in the schedule of the car. */
function readAhead(story: Story, next: lifecycle.CarEntry | null): void {
  const asked = story.outlook.lookAhead ?? { asked: 'again', carId: whole.car.id };
  story.take(
    lifecycle.applyLookAhead(story.state, asked, { kind: 'seen', next, candidates: null }, story.now),
  );
}
/** The last entry of the kind, timestamps as `hh:mm`. */
function last(story: Story, kind: lifecycle.TimelineEntry['kind'] = 'event'): string {
  const { text } = story.entries.findLast((one) => one.kind === kind && one.attention === undefined) ?? {
    text: '',
  };
  return text.replaceAll(/\d{4}-\d{2}-\d{2}T(\d{2}:\d{2})[:.\d]*\+09:00/g, '$1');
}

it.each<[string, lifecycle.Answer, string]>([
  ['applied', { outcome: 'applied' }, 'Start dispatch: applied.'],
  [
    'applied, with an answer that cannot be read',
    { outcome: 'applied', unparsed: true },
    'Start dispatch: applied, although the answer cannot be read (UNPARSED).',
  ],
  [
    'rejected',
    { outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' },
    'Start dispatch: rejected by the platform (NOT_FOUND).',
  ],
  [
    'not sent by Handover',
    { outcome: 'held-back', code: 'NOT_STARTED', retryAfterMs: hour },
    'Start dispatch: Handover did not send it (NOT_STARTED); next try at 10:00.',
  ],
  [
    'not accepted by the platform',
    { outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: hour },
    'Start dispatch: the platform did not accept it (RATE_LIMITED); next try at 10:00.',
  ],
  [
    'not authorised',
    { outcome: 'held-back', code: 'UNAUTHORIZED' },
    'Start dispatch: the key of its role does not work (UNAUTHORIZED); it continues when the key works.',
  ],
  [
    'of unknown outcome, and sent again',
    unknown,
    'Start dispatch: the outcome of attempt 1 is unknown (TIMEOUT): it may have reached the platform; next try at 09:00.',
  ],
  [
    'of unknown outcome, and not sent again',
    { outcome: 'unknown', code: 'RUN_LOST' },
    'Start dispatch: the outcome of attempt 1 is unknown (RUN_LOST): it may have reached the platform; no time is left to send it again.',
  ],
])(
  'the entry of a first attempt that is %s states that, what follows, and nothing more',
  (_, answer, text) => {
    const story = storyAt(5);
    story.sendAction('dispatch.start', answer, { override });
    expect(last(story, 'command').replace(/ Now at .*/, '')).toBe(text);
  },
);

it.each([
  [false, 'Start dispatch: forbidden, although the key works (FORBIDDEN).'],
  [
    true,
    'Start dispatch: forbidden, although the key works (FORBIDDEN); an earlier attempt may have reached the platform.',
  ],
])(
  'L30: the entry of a command that a working key may not send states whether an earlier attempt may have arrived: %s',
  (isDoubtful, text) => {
    const story = storyAt(5);
    const forbidden = { outcome: 'held-back', code: 'FORBIDDEN' } as const;
    const id = story.sendAction('dispatch.start', isDoubtful ? unknown : forbidden, { override });
    if (isDoubtful) {
      story.at(story.nextDeadline ?? Number.NaN).send();
      story.answer(id, forbidden);
    }
    story.take(lifecycle.restoreRole(story.state, story.now));
    expect(last(story, 'command')).toBe('Start dispatch: the key of its role works again; it is sent now.');
    story.send();
    story.answer(id, forbidden);
    expect(last(story, 'command')).toBe(text);
  },
);

it.each<[string, lifecycle.Answer[], string]>([
  [
    'was held back',
    [{ outcome: 'held-back', code: 'RATE_LIMITED' }],
    'Start dispatch: not sent: The time for further attempts is over.',
  ],
  [
    'may have arrived',
    [unknown, { outcome: 'held-back', code: 'UNAUTHORIZED' }],
    'Start dispatch: not sent again, and it may have reached the platform: The time for further attempts is over.',
  ],
])('L24, L30: the entry of a command whose time is over and that %s states that', (_, answers, text) => {
  const story = storyAt(5);
  const id = story.accept('dispatch.start', { override });
  for (const answer of answers) {
    story.send();
    story.answer(id, answer);
    story.now = story.nextDeadline ?? Number.NaN;
  }
  story.now = end;
  expect(story.send()).toBeNull();
  expect(last(story, 'command')).toBe(text);
});

it.each<[string, (story: Story) => unknown, string]>([
  [
    'a status that skips others',
    (story) => story.status(20),
    'Status webhook, status 20 (in use): applied. Now at 20 (in use). Inferred: 10, 15. Expected next: 30 (return complete) by 13:00.',
  ],
  [
    'a status that skips none',
    (story) => story.status(10),
    'Status webhook, status 10 (dispatch departed): applied. Now at 10 (dispatch departed). Expected next: 15 (dispatch complete) by 13:00.',
  ],
  [
    'a status whose end is unknown',
    (story) => [story.status(20), story.at(end), story.status(25)],
    'Status webhook, status 25 (return delayed): applied. Now at 25 (return delayed). Expected next: 30 (return complete).',
  ],
  [
    'an end',
    (story) => story.status(40),
    'Status webhook, status 40 (reservation cancelled): applied. Now at 40 (reservation cancelled). Nothing more is expected.',
  ],
  [
    'new and changed facts',
    (story) => [
      story.updated(10, { pickupMemo: 'gate 1' }),
      story.updated(15, {
        pickupMemo: 'gate 2',
        pickupAddress: 'Seoul',
        parking: { imageUrl: 'https://p.example/1' },
      }),
    ],
    'Update, status 15 (dispatch complete): applied. Now at 15 (dispatch complete). Known now: pickup address, parking image url. Changed: pickup memo. Expected next: 20 (in use).',
  ],
  [
    'a car that is known by its id',
    (story) => story.updated(5, { car: { id: 13, number: null } }),
    'Update, status 5 (reservation complete): applied. The car changed from 12 (12가3456) to 13; photos of the old one no longer count.',
  ],
  [
    'another number of the same car',
    (story) => story.updated(10, { car: { id: 12, number: '99다9999' } }),
    'Update, status 10 (dispatch departed): applied. Now at 10 (dispatch departed). Expected next: 15 (dispatch complete) by 13:00.',
  ],
  [
    'another period',
    (story) => story.updated(5, { period: { start: start + hour, end } }),
    'Update, status 5 (reservation complete): applied. The period changed from 13:00 – 13:00 to 14:00 – 13:00; the deadlines follow it.',
  ],
  [
    'a repeated event',
    (story) => [story.status(10, { eventId: 'e' }), story.status(10, { eventId: 'e' })],
    'Status webhook, status 10 (dispatch departed): already known, nothing changes.',
  ],
  [
    'two values in doubt',
    (story) => [story.updated(10), story.updated(10, { car: { id: 13, number: null } })],
    'Update, status 10 (dispatch departed): applied. The car changed from 12 (12가3456) to 13; photos of the old one no longer count. Marked: ambiguous:car.',
  ],
])('L12-L16, L18: the entry of an event names %s', (_, happen, text) => {
  const story = storyAt(5);
  happen(story);
  expect(last(story)).toBe(text);
});

it('the entry of the first news names the car and the period, and marks an adopted reservation', () => {
  const story = new Story();
  story.updated(10, { car: { id: 12, number: null } });
  expect(last(story)).toBe(
    'Update, status 10 (dispatch departed): applied. Now at 10 (dispatch departed). Inferred: 5. The car is 12. The period is 13:00 – 13:00. Known now: company, created at, companion. Marked: adopted. Expected next: 15 (dispatch complete) by 13:00.',
  );
  expect(story.entries.at(-1)?.data).toMatchObject({
    from: null,
    to: 10,
    toCar: 12,
    toStart: start,
    toEnd: end,
    expected: 15,
  });
});

it('L22: the entry of a callback states that a status or a fact is now reported, and what it was before', () => {
  const story = storyAt(5);
  const body = { photo, parkingMemo: 'B2' };
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  story.sendAction('dispatch.parkingImage', { outcome: 'applied' }, { override, body });
  story.updated(10, { parking: { memo: 'B2' } });
  expect(last(story)).toBe(
    'Update, status 10 (dispatch departed): applied. 10 is now observed, no longer commanded. The parking memo is now observed, no longer commanded.',
  );
});

it('the data of an entry has the values before and after', () => {
  const story = storyAt(10);
  story.updated(15, { car: { id: 13, number: null }, period: { start, end: end + hour } });
  expect(story.entries.findLast(({ kind }) => kind === 'event')?.data).toEqual({
    inboxId: 3,
    verdict: 'applied',
    status: 15,
    from: 10,
    to: 15,
    fromCar: 12,
    toCar: 13,
    fromStart: start,
    fromEnd: end,
    toStart: start,
    toEnd: end + hour,
    expected: 20,
  });
  story.status(40);
  expect(story.entries.findLast(({ kind }) => kind === 'event')?.data).toMatchObject({ expected: null });
});

it('the entry of an event names its callback, its status, its verdict, and whether an operator replayed it', () => {
  const story = storyAt(10);
  const car = story.event('car', { previousCarId: 12, car: { id: 13, number: null } });
  story.observe(car);
  expect(last(story)).toMatch(/^Car change: applied\. The car changed/);
  story.observe({ ...car, eventId: 'again', replay: 1 });
  expect(last(story)).toBe('Car change, replayed: already known, nothing changes.');
  story.registered({ pickupMemo: 'gate 1' });
  expect(last(story)).toBe(
    'Registration, status 5 (reservation complete): older than what is known, so it only fills gaps. Known now: pickup memo.',
  );
});

it('L20: the refusal of a step whose status is behind names the status, or that none is known', () => {
  expect(new Story().refusal('dispatch.staff')?.message).toContain(
    'no status is known yet, and to assign dispatch staff it must be at 5 (reservation complete) or 10 (dispatch departed).',
  );
  expect(storyAt(5).refusal('dispatch.complete')?.message).toContain(
    'it is believed at 5 (reservation complete), and to complete dispatch it must be at 10 (dispatch departed).',
  );
});

it.each<[string, lifecycle.Answer | null, string]>([
  ['applied', { outcome: 'applied' }, 'The outcome is already known: applied.'],
  [
    'rejected',
    { outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' },
    'The outcome is already known: rejected.',
  ],
  ['out', null, 'The command is still open (out).'],
])('L24: the refusal to resolve a command that is %s states that', (_, answer, text) => {
  const story = storyAt(5);
  const commandId = story.accept('dispatch.start', { override });
  story.send();
  if (answer !== null) story.answer(commandId, answer);
  expect(read(lifecycle.checkResolve(story.state, { commandId }))?.message).toContain(text);
});

it.each([
  ['confirmed', 'lee booked it; the platform answered "confirmed".'],
  [null, 'lee booked it; the platform answered "".'],
])('F36, F37: the entry of a booking has the answer of the platform, raw: %s', (status, text) => {
  const story = new Story();
  story.book({ ...booking, status });
  expect(last(story, 'command').replace(/ Now at .*/, '')).toBe(text);
});

it('F60: the entry of a reading names what follows in the schedule of the car, or that nothing does', () => {
  const story = storyAt(20).at(end);
  const entry = { scheduleId: 77, type: 'R', start: end + hour, end: end + 2 * hour } as const;
  const text = (next: lifecycle.CarEntry | null) => {
    readAhead(story, next);
    return last(story, 'decision');
  };
  expect(text(null)).toBe('Nothing follows in the schedule of car 12 for a week.');
  expect(text(entry)).toBe('Next in the schedule of car 12: a reservation (R 77), 14:00 to 15:00.');
  expect(text({ ...entry, scheduleId: 78, reservationId: 9 })).toBe(
    'Next in the schedule of car 12: reservation 9 (R 78), 14:00 to 15:00.',
  );
  expect(text({ ...entry, type: 'S' })).toBe(
    'Next in the schedule of car 12: an external entry (S 77), 14:00 to 15:00.',
  );
});

it('F61: the texts of an item whose entry is not known any more name none', () => {
  const { state } = storyAt(20);
  const texts = attentionTexts('next-in-danger', 'F61', { state, what: belief(state), keys: [] });
  expect(texts.person).toBe('The car is needed next, and it may not be back in time. Call the customer.');
  expect(texts.operations).toContain('the next entry of its car is at risk.');
});

it('F36: the texts about missing facts state that the booking was accepted, as long as no callback came', () => {
  const texts = (...happen: ((story: Story) => unknown)[]) => {
    const story = new Story();
    for (const one of happen) one(story);
    const { state } = story;
    return attentionTexts('incomplete', 'L05', { state, what: belief(state), keys: [] });
  };
  const booked = texts((story) => story.book(booking));
  expect(booked.person).toContain(
    'Facts are missing: car. The platform accepted our booking, but no registration came;',
  );
  expect(booked.operations).toContain(
    'no callback reported: car, although the platform accepted the booking;',
  );
  for (const other of [
    texts((story) => story.status(5)),
    texts(
      (story) => story.book(booking),
      (story) => story.status(5),
    ),
  ]) {
    expect(other.person).toContain('No registration or update reported them;');
    expect(other.operations).not.toContain('although');
  }
});

it('F61: the time left is counted in whole minutes', () => {
  const story = storyAt(20).at(end);
  const next = { scheduleId: 77, type: 'R', start: end + 61 * minute + 59_999, end: end + 9 * hour } as const;
  readAhead(story, next);
  expect(story.view.attention[0]?.message).toContain('; 1 h 1 min were left at');
});
