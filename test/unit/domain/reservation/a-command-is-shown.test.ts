import { expect, it } from 'vitest';
import { details } from '../../../../src/domain/reservation/details.js';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, override, Story } from '../../../support/reservation-story.js';

const nine = '2026-11-21T09:00:00.000+09:00';

it('a command is shown with who requested it, how it stands, and when it ended', () => {
  const story = new Story();
  story.registered();
  story.accept('dispatch.start', { commandId: 'c-1', override });
  const queued = {
    commandId: 'c-1',
    action: 'dispatch.start',
    outcome: 'queued',
    by: 'dana',
    at: nine,
    settledAt: null,
    settledBy: null,
    code: null,
    message: null,
    attempts: 0,
    override,
  };
  expect(story.shown('c-1')).toEqual(queued);
  story.send();
  story.at(origin + minute);
  expect(story.answer('c-1', { outcome: 'applied' })).toEqual({
    ...queued,
    outcome: 'applied',
    settledAt: '2026-11-21T09:01:00.000+09:00',
    settledBy: 'answer',
    attempts: 1,
  });
  expect(lifecycle.knownCommand(story.state, 'c-2')).toBeNull();
  expect(() => story.shown('c-2')).toThrow('no command c-2 on reservation 8421');
});

it.each<[string, lifecycle.Answer]>([
  ['applied', { outcome: 'applied' }],
  ['rejected', { outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' }],
  ['unknown', { outcome: 'unknown', code: 'TIMEOUT' }],
  ['waiting', { outcome: 'held-back', code: 'RATE_LIMITED' }],
  ['suspended', { outcome: 'held-back', code: 'UNAUTHORIZED' }],
])('a command is answered once it is %s, and not while it is queued or out', (outcome, answer) => {
  const story = new Story();
  story.registered();
  const id = story.accept('dispatch.staff');
  const isAnswered = () => lifecycle.isAnswered(story.shown(id).outcome);
  expect(isAnswered()).toBe(false);
  story.send();
  expect(isAnswered()).toBe(false);
  expect(story.answer(id, answer).outcome).toBe(outcome);
  expect(isAnswered()).toBe(true);
});

it('the details of a reservation of which nothing is known state this', () => {
  const { state } = new Story();
  expect(details(state, origin)).toBe('**? unknown**');
});

it('the details show status, expectation, facts, attention, commands and marks, one list each', () => {
  const story = new Story();
  story.registered({ inboxId: 4 });
  story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override, commandId: 'c-1' });
  story.status(99);
  const [message, other] = story.view.attention.map((item) => item.message);
  expect(details(story.state, story.now).split('\n')).toEqual([
    `**10 dispatch departed**, commanded (command c-1) since ${nine}`,
    '',
    'Expected next: 15 dispatch complete by 2026-11-21T13:00:00.000+09:00',
    '',
    '- Period 2026-11-21T13:00:00.000+09:00 to 2026-11-22T13:00:00.000+09:00, observed (event 4)',
    '- Car 12 12가3456, observed (event 4)',
    '',
    `- **command-unknown** since ${nine}: ${message}`,
    `- **unknown-status** since ${nine}: ${other}`,
    '',
    '- Assign dispatch staff: unknown (TIMEOUT)',
    '- Start dispatch: applied',
    '',
    'Marks: unknown-status:99',
  ]);
});

it('the outlook has the list facts, the next deadline and whether the reservation is closed', () => {
  const story = new Story();
  story.registered();
  story.status(40);
  const closesAt = origin + 24 * hour;
  expect(story.outlook).toMatchObject({ closed: false, nextDeadline: closesAt, note: null, lookAhead: null });
  expect(story.at(closesAt).outlook).toMatchObject({
    closed: true,
    nextDeadline: null,
    facts: { status: 40 },
  });
});
