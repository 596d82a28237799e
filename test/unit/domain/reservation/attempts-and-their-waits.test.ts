import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { retryWaitMs } from '../../../../src/domain/reservation/retry.js';
import { hour, minute, origin, override, Story, unknown, whole } from '../../../support/reservation-story.js';

const busy = { outcome: 'held-back', code: 'RATE_LIMITED' } as const;
const applied = { outcome: 'applied' } as const;

function at(status: number, parts: Partial<lifecycle.ReservationEvent> = {}): Story {
  const story = new Story();
  story.updated(status, parts);
  return story;
}
function sendNext(story: Story): lifecycle.AttemptToSend {
  story.at(story.nextDeadline ?? Number.NaN);
  const attempt = story.send();
  if (attempt === null) throw new Error('nothing was sent');
  return attempt;
}
/** The waits of 500 commands before the same try, in milliseconds, the shortest and the longest. */
function waits(tries: number, triedForMs: number): [number, number] {
  const all = Array.from({ length: 500 }, (_, index) => retryWaitMs(`c-${index}`, tries, triedForMs));
  return [Math.min(...all), Math.max(...all)];
}

it.each([
  ['first', 1, 0, 2_000],
  ['second', 2, 0, 4_000],
  ['fifth', 5, 0, 32_000],
  ['twentieth', 20, hour - 1, 5 * minute],
  ['twentieth, an hour after the request,', 20, hour, 15 * minute],
])('L30: the %s waits of many commands spread over the second half of the wait', (_, tries, ms, longest) => {
  const [least, most] = waits(tries, ms);
  expect(least).toBeGreaterThanOrEqual(longest / 2);
  expect(least).toBeLessThan(longest * 0.51);
  expect(most).toBeLessThanOrEqual(longest);
  expect(most).toBeGreaterThan(longest * 0.99);
});

it.each([busy, unknown])('L30: after each attempt that ended $outcome the next wait is longer', (answer) => {
  const story = at(5);
  const id = story.sendAction('dispatch.start', answer, { override, commandId: 'c-1' });
  const waited = [1, 2, 3].map(() => {
    const from = story.now;
    sendNext(story);
    const wait = story.now - from;
    story.answer(id, answer);
    return wait;
  });
  expect(waited).toEqual([1_252, 2_423, 5_736]);
});

it('L30: how long a command has been tried counts from its request, also after attempts of unknown outcome', () => {
  const story = at(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  const waited: [since: number, ms: number][] = [];
  while (story.now < origin + 2 * hour) {
    const from = story.now;
    sendNext(story);
    waited.push([from - origin, story.now - from]);
    story.answer(id, unknown);
  }
  const longest = (some: typeof waited) => Math.max(...some.map(([, ms]) => ms));
  expect(longest(waited.filter(([since]) => since < hour))).toBeLessThanOrEqual(5 * minute);
  expect(longest(waited.filter(([since]) => since >= hour))).toBeGreaterThan(5 * minute);
});

it('L30: an attempt has its number, how often it was held back since the last that may have arrived, and the body', () => {
  const story = at(10);
  const body = { parkingMemo: 'B2', parkingLotType: 1 } as const;
  const commandId = story.accept('dispatch.complete', { override, body, commandId: 'c-1' });
  const idempotencyKey = '8421:dispatch.complete:c-1';
  const attempt = (number: number, count: number) => ({
    commandId,
    action: 'dispatch.complete',
    body,
    number,
    waits: count,
    idempotencyKey,
  });
  expect(story.send()).toEqual(attempt(1, 0));
  story.answer(commandId, busy);
  expect(sendNext(story)).toEqual(attempt(1, 1));
  story.answer(commandId, busy);
  expect(sendNext(story)).toEqual(attempt(1, 2));
  story.answer(commandId, unknown);
  expect(sendNext(story)).toEqual(attempt(2, 0));
});

it.each([
  'RATE_LIMITED',
  'UNREACHABLE',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ROLE_SUSPENDED',
  'NOT_STARTED',
  'ATTEMPT_EXPIRED',
  'ATTEMPT_NOT_RECORDED',
  'PHOTO_STORE_UNAVAILABLE',
])('L24, L30: after %s the next attempt has another id, unless this one was not recorded', (code) => {
  const numbersAfter = (answers: { keepsId?: true }[]) => {
    const story = at(10);
    const id = story.accept('dispatch.carImage', { override });
    let attempt = story.send();
    for (const answer of answers) {
      story.answer(id, { outcome: 'held-back', code, ...answer });
      if (story.shown(id).outcome === 'suspended') {
        story.take(lifecycle.restoreRole(story.state, story.now));
        attempt = story.send();
      } else {
        attempt = sendNext(story);
      }
    }
    return [attempt?.number, attempt?.waits];
  };
  expect(numbersAfter([{}])).toEqual([1, 1]);
  expect(numbersAfter([{ keepsId: true }])).toEqual([1, 0]);
  // a working key that still forbids ends the action
  if (code === 'FORBIDDEN') return;
  expect(numbersAfter([{ keepsId: true }, {}, { keepsId: true }])).toEqual([1, 1]);
});

it('L24, L30: after an unknown outcome the count of attempts starts again, also of those that were not recorded', () => {
  const story = at(5);
  const id = story.sendAction('dispatch.start', { ...busy, keepsId: true }, { override });
  sendNext(story);
  story.answer(id, unknown);
  expect(sendNext(story)).toMatchObject({ number: 2, waits: 0 });
  story.answer(id, busy);
  expect(sendNext(story)).toMatchObject({ number: 2, waits: 1 });
});

it('L30: no attempt of unknown outcome is repeated at the deadline of its action or later', () => {
  const wait = retryWaitMs('c-1', 1, 0);
  const nextTry = (end: number) => {
    const story = at(5, { period: { start: origin - hour, end } });
    story.sendAction('dispatch.start', unknown, { override, commandId: 'c-1' });
    return story.state.commands[0]?.nextTryAt;
  };
  expect(nextTry(origin + wait)).toBeNull();
  expect(nextTry(origin + wait + 1)).toBe(origin + wait);
});

it('L26, L30: only one request is out, whatever else is due', () => {
  const story = at(10);
  const first = story.sendAction('dispatch.staff', busy);
  const second = story.accept('dispatch.staff');
  expect(story.send()?.commandId).toBe(second);
  story.at(story.now + hour);
  expect(story.send()).toBeNull();
  story.answer(second, applied);
  expect(story.send()?.commandId).toBe(first);
});

it('a command that has its outcome is not sent again, also after the reservation has ended', () => {
  const story = at(10);
  const ids = [applied, unknown, { outcome: 'rejected', code: 'NOT_FOUND', message: 'no' } as const].map(
    (answer) => story.sendAction('dispatch.staff', answer),
  );
  const outcomes = () => ids.map((id) => story.shown(id).outcome);
  const queued = story.accept('dispatch.staff');
  story.status(45);
  expect(story.send()).toBeNull();
  expect(outcomes()).toEqual(['applied', 'unknown', 'rejected']);
  expect(story.shown(queued)).toMatchObject({ outcome: 'rejected', code: 'RESERVATION_TERMINAL' });
});

it('L60: what an action carries is deleted with its outcome, and stays as long as that is unknown', () => {
  const body = (answer: lifecycle.Answer) => {
    const story = at(10);
    story.sendAction('dispatch.staff', answer, { body: { staffName: 'Kim', staffPhone: '01012345678' } });
    return story.state.commands[0]?.body;
  };
  expect(body(applied)).toBeNull();
  expect(body({ outcome: 'rejected', code: 'NOT_FOUND', message: 'no' })).toBeNull();
  expect(body(unknown)).toEqual({ staffName: 'Kim', staffPhone: '01012345678' });
  expect(body(busy)).toEqual({ staffName: 'Kim', staffPhone: '01012345678' });
});

it.each([
  ['L20', 'ACTION_NOT_ALLOWED', (story: Story) => story.status(15)],
  ['L28', 'RESERVATION_TERMINAL', (story: Story) => story.status(45)],
  ['L30', 'TIME_OVER', (story: Story) => story.at(whole.period.end)],
] as const)(
  '%s: a command that ends with %s before it is sent again has one entry, which names its rule',
  (rule, code, happen) => {
    const story = at(10);
    const commandId = story.sendAction('dispatch.carImage', busy, { override });
    happen(story);
    story.at(Math.max(story.now, story.nextDeadline ?? 0));
    expect(story.send()).toBeNull();
    const data = { commandId, action: 'dispatch.carImage', outcome: 'rejected', code, attempts: 0 };
    const entries = story.entries.filter((one) => one.data.commandId === commandId);
    expect(entries.at(-1)).toMatchObject({ kind: 'command', rule, data });
    expect(entries).toHaveLength(3);
  },
);

it('L26: where several commands end at their turn, each has its entry, and the next one is sent', () => {
  const story = at(5);
  const [first, second] = [
    story.accept('dispatch.start', { override }),
    story.accept('dispatch.start', { override }),
  ];
  const third = story.accept('dispatch.staff');
  story.status(10);
  expect(story.send()?.commandId).toBe(third);
  const rules = (id: string) =>
    story.entries.flatMap(({ data, rule }) => (data.commandId === id ? [rule] : []));
  expect([first, second].map(rules)).toEqual([
    ['L27', 'L20'],
    ['L27', 'L20'],
  ]);
});

it('L24: a command whose time is over and that may have been applied raises attention at once', () => {
  const story = at(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  sendNext(story);
  story.answer(id, { outcome: 'held-back', code: 'UNAUTHORIZED' });
  story.now = whole.period.end;
  expect(story.kinds).not.toContain('command-unknown');
  expect(story.send()).toBeNull();
  expect(story.kinds).toContain('command-unknown');
});

it.each([false, true])(
  'L29: a command that was not sent stays rejected where a callback shows its status (held back before: %s)',
  (isHeldBack) => {
    const story = at(5);
    const id = isHeldBack
      ? story.sendAction('dispatch.start', busy, { override })
      : story.accept('dispatch.start', { override });
    story.status(10);
    story.at(story.now + hour);
    expect(story.send()).toBeNull();
    story.status(15);
    expect(story.shown(id)).toMatchObject({
      outcome: 'rejected',
      code: 'ACTION_NOT_ALLOWED',
      settledBy: null,
    });
  },
);

it('G13-G15: each action is sent by the operation of its own name', () => {
  const operations = lifecycle.actions.map((action) => [action, lifecycle.staffActions[action].operation]);
  expect(Object.fromEntries(operations)).toEqual({
    'dispatch.staff': 'dispatchStaff',
    'dispatch.start': 'dispatchStart',
    'dispatch.parkingImage': 'dispatchParkingImage',
    'dispatch.carImage': 'dispatchCarImage',
    'dispatch.complete': 'dispatchComplete',
    'recall.staff': 'recallStaff',
    'recall.carImage': 'recallCarImage',
    'recall.complete': 'recallComplete',
  });
});

it.each([
  [15, 15, 'commanded'],
  [10, 10, 'commanded'],
  [99, 10, 'commanded'],
])('G16: of an answer to a start that names status %i, %i is believed as %s', (status, code, grade) => {
  const story = at(5);
  story.sendAction('dispatch.start', { outcome: 'applied', status }, { override });
  expect(story.view.status).toMatchObject({ code, grade });
  expect(story.state.unknownStatuses).toEqual([]);
  expect(story.state.statuses.map((one) => one.code)).toEqual([...new Set([5, 10, code])]);
});

it.each([
  ['without an override', undefined, 'L20', 'dana requested "assign dispatch staff".', { override: false }],
  [
    'with an override that leaves nothing out',
    override,
    'L20',
    'dana requested "assign dispatch staff", with an override.',
    { override: true },
  ],
] as const)('the entry of a request %s states that', (_, given, rule, text, data) => {
  const story = at(5);
  const parts = given === undefined ? {} : { override: given };
  const commandId = story.accept('dispatch.staff', parts);
  expect(story.entries.at(-1)).toMatchObject({ kind: 'command', rule, text });
  expect(story.entries.at(-1)?.data).toEqual({ commandId, action: 'dispatch.staff', by: 'dana', ...data });
});

it.each([
  ['dispatch.start', ['dispatch.staff'], 'assign dispatch staff'],
  ['dispatch.parkingImage', ['dispatch.staff', 'dispatch.start'], 'assign dispatch staff, start dispatch'],
] as const)(
  'L27: the entry of a request for %s names the steps that it leaves out',
  (action, steps, names) => {
    const story = at(5);
    const commandId = story.accept(action, { override });
    const entry = story.entries.at(-1);
    expect(entry?.rule).toBe('L27');
    expect(entry?.text).toContain(`, with an override that leaves out: ${names}.`);
    const data = { commandId, action, by: 'dana', override: true, skipped: steps.join(', ') };
    expect(entry?.data).toEqual(data);
  },
);
