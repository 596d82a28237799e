import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { deeds } from '../../../support/random-stories.js';
import { day, hour, minute, photo, Story, unknown, whole } from '../../../support/reservation-story.js';

const override = { reason: 'SECRET: agreed with the customer' };
const { start, end } = whole.period;

/** The lines since the last look, timestamps left out: `rule text`. */
function reader(story: Story): () => string[] {
  let read = story.entries.length;
  return () => {
    const fresh = story.entries.slice(read);
    read = story.entries.length;
    return fresh.map(({ rule, text }) =>
      `${rule} ${text}`.replaceAll(/\d{4}-\d{2}-\d{2}T(\d{2}:\d{2})[:.\d]*\+09:00/g, '$1'),
    );
  };
}

it('from booking to handover the timeline shows the events, the actions, and their consequences', () => {
  const story = new Story();
  const read = reader(story);
  story.registered({
    driver: { name: 'SECRET', birth: 'SECRET', phone: 'SECRET', licenseNumber: 'SECRET', address: 'SECRET' },
  });
  expect(read()).toEqual([
    'L18 Registration, status 5 (reservation complete): applied. Now at 5 (reservation complete). The car is 12 (12가3456). The period is 13:00 – 13:00. Known now: company, created at, driver, companion. Expected next: 10 (dispatch departed) by 12:00.',
  ]);
  story.at(start - hour);
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  expect(read()).toEqual([
    'L40 Needs attention: dispatch-not-started, since 12:00. Dispatch has not started, and the rental starts at 13:00. Send a driver with the car.',
    'L27 dana requested "start dispatch", with an override that leaves out: assign dispatch staff.',
    'L22 Start dispatch: applied. Now at 10 (dispatch departed). Expected next: 15 (dispatch complete) by 13:00.',
    'L40 No longer needs attention: dispatch-not-started.',
  ]);
  story.status(10);
  story.carChanged(12, 13);
  story.updated(15, { car: { id: 13, number: null }, period: { start, end: end + hour } });
  expect(read()).toEqual([
    'L22 Status webhook, status 10 (dispatch departed): applied. 10 is now observed, no longer commanded.',
    'L14 Car change: applied. The car changed from 12 (12가3456) to 13; photos of the old one no longer count.',
    'L18 Update, status 15 (dispatch complete): applied. Now at 15 (dispatch complete). The period changed from 13:00 – 13:00 to 13:00 – 14:00; the deadlines follow it. Expected next: 20 (in use).',
  ]);
});

it('L05: only a reservation that began before its registration is marked as adopted, and unmarked by it', () => {
  const announced = new Story();
  expect(announced.view.marks).toEqual([]);
  announced.registered();
  expect(announced.entries.map(({ text }) => text).join()).not.toContain('adopted');
  const adopted = new Story();
  adopted.status(10);
  expect(adopted.entries.at(-1)?.text).toContain('Marked: adopted.');
  adopted.registered();
  expect(adopted.entries.at(-1)?.text).toContain('No longer marked: adopted.');
});

it.each<[string, string, (story: Story) => unknown]>([
  ['L05', 'news before the registration', (story) => story.updated(10)],
  ['L18', 'the registration, as the first news', (story) => story.registered()],
  [
    'L07',
    'a registration once more, with another car',
    (story) => [story.registered(), story.registered({ car: { id: 13, number: null } })],
  ],
  ['L18', 'a step forward that skips none', (story) => [story.registered(), story.status(10)]],
  ['L18', 'its end', (story) => [story.registered(), story.status(40)]],
  ['L04', 'a step forward that skips one', (story) => [story.registered(), story.status(15)]],
  [
    'L22',
    'a callback about what a command did',
    (story) => [
      story.registered(),
      story.sendAction('dispatch.start', { outcome: 'applied' }, { override }),
      story.status(10),
    ],
  ],
  [
    'L18',
    'a memo that was not reported before',
    (story) => [story.updated(10), story.updated(10, { pickupMemo: 'gate 2' })],
  ],
  [
    'L13',
    'another memo at the same status',
    (story) => [story.updated(10, { pickupMemo: 'gate 1' }), story.updated(10, { pickupMemo: 'gate 2' })],
  ],
  [
    'L12',
    'another end, with the car as it was',
    (story) => [story.updated(10), story.updated(10, { period: { start, end: end + hour } })],
  ],
  [
    'L14',
    'another car, with the period as it was',
    (story) => [story.updated(10), story.updated(10, { car: { id: 13, number: null } })],
  ],
  ['L18', 'the first car that is reported', (story) => [story.status(10), story.carChanged(12, 13)]],
  [
    'L15',
    'a companion less',
    (story) => [story.updated(10, { companion: { name: 'SECRET' } }), story.updated(10)],
  ],
  ['L16', 'a parking place', (story) => [story.updated(15), story.updated(15, { parking: { lotType: 1 } })]],
])('L12-L16, L18, L22: %s is the rule of the line about %s', (rule, _what, happen) => {
  const story = new Story();
  happen(story);
  const events = story.entries.filter(({ kind }) => kind === 'event');
  expect(events.at(-1)).toMatchObject({ rule, data: { verdict: 'applied' } });
});

it('the entry of each attempt of a command shows how it ended, why, and when the next one is', () => {
  const story = new Story();
  story.registered();
  const read = reader(story);
  const id = story.sendAction('dispatch.start', unknown, { override });
  const again = (answer: lifecycle.Answer) => {
    story.at(story.nextDeadline ?? 0);
    story.send();
    story.answer(id, answer);
  };
  again({ outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: 2 * minute });
  again({ outcome: 'held-back', code: 'NOT_STARTED' });
  again({ outcome: 'held-back', code: 'UNAUTHORIZED' });
  story.take(lifecycle.restoreRole(story.state, story.now));
  story.send();
  story.answer(id, { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'SECRET' });
  story.status(10);
  expect(read()).toEqual([
    'L27 dana requested "start dispatch", with an override that leaves out: assign dispatch staff.',
    'L30 Start dispatch: the outcome of attempt 1 is unknown (TIMEOUT): it may have reached the platform; next try at 09:00.',
    'L30 Start dispatch: the platform did not accept it (RATE_LIMITED); an earlier attempt may have reached the platform; next try at 09:02.',
    'L30 Start dispatch: Handover did not send it (NOT_STARTED); an earlier attempt may have reached the platform; next try at 09:02.',
    'L30 Start dispatch: the key of its role does not work (UNAUTHORIZED); it continues when the key works; an earlier attempt may have reached the platform.',
    'L30 Start dispatch: the key of its role works again; it is sent now.',
    'L30 Start dispatch: refused (ILLEGAL_STATE) after an attempt that may have reached the platform; it is not sent again.',
    "L24 Needs attention: command-unknown, since 09:02. An action's outcome is unknown: it may have reached the platform. Check the platform's web site and resolve the command as applied or rejected.",
    'L18 Status webhook, status 10 (dispatch departed): applied. Now at 10 (dispatch departed). Expected next: 15 (dispatch complete) by 13:00.',
    'L24 Start dispatch: applied, as a callback shows.',
    'L24 No longer needs attention: command-unknown.',
  ]);
});

it('L30: attempts that end alike have one entry, and after an hour one at most every 15 minutes', () => {
  const story = new Story();
  story.registered({ period: { start: start + 3 * day, end: end + 3 * day } });
  const read = reader(story);
  const unavailable = { outcome: 'held-back', code: 'UNREACHABLE' } as const;
  const id = story.sendAction('dispatch.start', unavailable, { override });
  const tries = [story.now];
  while (story.now < start + day) {
    story.at(story.nextDeadline ?? Number.NaN);
    if (story.send() === null) continue;
    tries.push(story.now);
    story.answer(id, unavailable);
  }
  expect(read().filter((line) => line.startsWith('L30'))).toHaveLength(1);
  expect(tries.length).toBeLessThan(260);
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  expect(Math.max(...waits)).toBeLessThanOrEqual(15 * minute);
  story.at(story.nextDeadline ?? 0).send();
  story.answer(id, { outcome: 'applied' });
  expect(read()[0]).toContain('L22 Start dispatch: applied.');
});

it('L30: further attempts of unknown outcome add no entry', () => {
  const story = new Story();
  story.registered();
  const unknown = { outcome: 'unknown', code: 'TIMEOUT' } as const;
  const id = story.sendAction('dispatch.start', unknown, { override });
  const added = [2, 3, 4].map(() => {
    const before = story.entries.length;
    while (story.send() === null) story.at(story.nextDeadline ?? Number.NaN);
    story.answer(id, unknown);
    return story.entries.slice(before).filter(({ data }) => data.commandId === id).length;
  });
  expect(added).toEqual([0, 0, 0]);
});

it('L30: an attempt of unknown outcome after a wait has an entry of its own', () => {
  const story = new Story();
  story.registered();
  const id = story.sendAction('dispatch.start', { outcome: 'unknown', code: 'TIMEOUT' }, { override });
  const outcomes = [
    { outcome: 'held-back', code: 'UNREACHABLE' },
    { outcome: 'held-back', code: 'UNREACHABLE' },
    { outcome: 'unknown', code: 'TIMEOUT' },
  ] as const;
  const added = outcomes.map((outcome) => {
    const before = story.entries.length;
    while (story.send() === null) story.at(story.nextDeadline ?? Number.NaN);
    story.answer(id, outcome);
    return story.entries.slice(before).filter(({ data }) => data.commandId === id).length;
  });
  expect(added).toEqual([1, 0, 1]);
});

it.each([
  [40, 500],
  [41, 501],
])('L60: of an answer 40 characters of its code and 500 of its texts are stored (%i, %i)', (code, text) => {
  const story = new Story();
  story.registered();
  const [long, words] = ['E'.repeat(code), 'x'.repeat(text)];
  const answer = { outcome: 'rejected', code: long, message: words, platformMessage: words } as const;
  const shown = story.shown(story.sendAction('dispatch.staff', answer));
  expect(shown.code).toBe(code === 40 ? long : `${'E'.repeat(39)}…`);
  const cut = text === 500 ? words : `${'x'.repeat(499)}…`;
  expect(shown).toMatchObject({ message: cut, platformMessage: cut });
});

it('L12, L43: a period shortened into the past has one entry about the expectation, without a past instant', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  story.at(start + 2 * hour);
  const read = reader(story);
  story.now += minute;
  story.updated(20, { period: { start, end: start + hour } });
  story.at(story.now);
  const lines = read().filter((line) => line.includes('Expected next'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/Expected next: 25 \(return delayed\)\.$/);
});

it('L25: the entry of a photo of unknown outcome states that it is sent once per request; a rejected one has its code', () => {
  const story = new Story();
  story.updated(10);
  const read = reader(story);
  story.sendAction('dispatch.carImage', unknown, { override });
  story.sendAction(
    'dispatch.carImage',
    { outcome: 'rejected', code: 'NOT_FOUND', message: 'SECRET' },
    { override },
  );
  expect(read().filter((line) => line.includes(': '))).toEqual(
    expect.arrayContaining([
      'L25 Register the car photo at dispatch: the outcome of attempt 1 is unknown (TIMEOUT): it may have reached the platform; it is sent once per request.',
      'L23 Register the car photo at dispatch: rejected by the platform (NOT_FOUND).',
    ]),
  );
});

it('L28: the entries of a cancellation show what is not sent any more, and the task to fetch the car', () => {
  const story = new Story();
  story.updated(10);
  story.accept('dispatch.staff');
  const read = reader(story);
  story.status(40);
  story.send();
  story.take(
    lifecycle.resolveAttention(
      story.state,
      { kind: 'retrieve-car', reason: 'SECRET', by: 'dana' },
      story.now,
    ),
  );
  story.at(story.now + day);
  expect(read()).toEqual([
    'L18 Status webhook, status 40 (reservation cancelled): applied. Now at 40 (reservation cancelled). Nothing more is expected.',
    'L28 Needs attention: retrieve-car, since 09:00. The car must be retrieved: the reservation was cancelled with the car on its way or handed over. Bring the car back, then resolve this item.',
    'L28 Assign dispatch staff: not sent: The reservation has ended at 40 (reservation cancelled): it is too late to assign dispatch staff.',
    'L28 dana resolved: retrieve-car.',
    'L47 The reservation is closed: the time for late events is over, and nothing is left to do.',
  ]);
});

it('an assertion names each fact with its old and new value', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  story.status(45);
  const read = reader(story);
  const asserted = { status: 20, carId: 13, endAt: end + hour, reason: 'SECRET', by: 'manager' };
  story.take(lifecycle.assertFacts(story.state, asserted, story.now));
  expect(read()[0]).toBe(
    'L10 manager asserted: status 20 (was 45), car 13 (was 12), end 14:00 (was 13:00). Now at 20 (in use). The car changed from 12 (12가3456) to 13; photos of the old one no longer count. The period changed from 13:00 – 13:00 to 13:00 – 14:00; the deadlines follow it. No longer marked: terminal-contradiction. Expected next: 30 (return complete) by 14:00.',
  );
  expect(story.entries.at(-2)?.data).toMatchObject({
    by: 'manager',
    status: 20,
    from: 45,
    fromCar: 12,
    carId: 13,
    fromEnd: end,
  });
});

it('L60: no entry and no alert holds a reason, a text of the platform, or personal data', () => {
  const story = new Story();
  story.registered({
    driver: { name: 'SECRET', birth: 'SECRET', phone: 'SECRET', licenseNumber: 'SECRET', address: 'SECRET' },
    pickupMemo: 'SECRET',
    pickupAddress: 'SECRET',
    companion: { name: 'SECRET' },
  });
  story.updated(10, {
    parking: { memo: 'SECRET', imageUrl: 'https://SECRET.example' },
    companion: { name: 'SECRET 2' },
  });
  story.sendAction('dispatch.parkingImage', unknown, { override, body: { photo, parkingMemo: 'SECRET' } });
  story.sendAction('dispatch.staff', unknown, { body: { staffName: 'SECRET', staffPhone: 'SECRET' } });
  const [command] = story.view.commands;
  const settled = {
    commandId: command?.commandId ?? '',
    outcome: 'applied',
    reason: 'SECRET',
    by: 'manager',
  } as const;
  story.take(lifecycle.resolveCommand(story.state, settled, story.now));
  story.at(end + day);
  expect(story.entries.length).toBeGreaterThan(8);
  expect(JSON.stringify(story.entries)).not.toContain('SECRET');
});

it('each change of status, car, period, expectation, attention or commands leaves an entry with a rule', {
  timeout: 30_000,
}, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) {
        const before = shown(story);
        const entriesBefore = story.entries.length;
        const { policy } = story.state;
        deed(story);
        const fresh = story.entries.slice(entriesBefore);
        // a policy is no news of the reservation; it takes effect with the next look
        if (shown(story) !== before && story.state.policy === policy) expect(fresh).not.toEqual([]);
        for (const { rule, text } of fresh) {
          expect(rule).toMatch(/^[LF]\d\d$/);
          expect(text).toMatch(/^[A-Za-z].*\.$/);
        }
      }
    }),
    { numRuns: 60 },
  );
});

function shown(story: Story): string {
  const { status, car, period, expected, attention, commands, decisions, closed } = story.view;
  // a request on its way out has its entry when it is answered
  const stands = commands.map(({ commandId, outcome, code }) => [
    commandId,
    outcome === 'out' ? 'queued' : outcome,
    code,
  ]);
  return JSON.stringify([
    status,
    car?.id,
    period?.start,
    period?.end,
    expected?.code,
    attention.map(({ kind }) => kind),
    stands,
    decisions,
    closed,
  ]);
}
