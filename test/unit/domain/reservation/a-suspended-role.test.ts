import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  day,
  hour,
  origin,
  override,
  type Story,
  storyAt,
  unknown,
  whole,
} from '../../../support/reservation-story.js';

const unauthorized = { outcome: 'held-back', code: 'UNAUTHORIZED' } as const;
const forbidden = { outcome: 'held-back', code: 'FORBIDDEN' } as const;

function restore(story: Story): void {
  story.take(lifecycle.restoreRole(story.state, story.now));
}

it('L30: a command whose role is suspended waits for it, is no attempt, and is sent once the key works', () => {
  const story = storyAt(10);
  const id = story.sendAction('dispatch.carImage', unauthorized, { override });
  expect(story.shown(id)).toMatchObject({ outcome: 'suspended', attempts: 0, code: 'UNAUTHORIZED' });
  expect(lifecycle.isAnswered('suspended')).toBe(true);
  story.at(origin + hour);
  expect(story.send()).toBeNull();
  restore(story);
  expect(story.entries.at(-1)).toMatchObject({ rule: 'L30', data: { commandId: id } });
  expect(story.nextDeadline).not.toBeNull();
  expect(story.send()).toMatchObject({ commandId: id, number: 1 });
  expect(story.answer(id, { outcome: 'applied' }).outcome).toBe('applied');
});

it('L30: restoring a role changes nothing where no command waits for it', () => {
  const story = storyAt(10);
  story.sendAction('dispatch.staff');
  expect(lifecycle.restoreRole(story.state, story.now)).toEqual({ state: story.state, entries: [] });
});

it('L30: an action that the platform still forbids to a working key is rejected', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', forbidden, { override });
  expect(story.shown(id).outcome).toBe('suspended');
  restore(story);
  story.send();
  expect(story.answer(id, forbidden)).toMatchObject({
    outcome: 'rejected',
    code: 'FORBIDDEN',
    settledBy: 'answer',
  });
  restore(story);
  expect(story.send()).toBeNull();
});

it.each([unauthorized, { outcome: 'held-back', code: 'ROLE_SUSPENDED' }] as const)(
  'L30: $code after the role was restored suspends again',
  (answer) => {
    const story = storyAt(5);
    const id = story.sendAction('dispatch.start', forbidden, { override });
    restore(story);
    story.send();
    expect(story.answer(id, answer).outcome).toBe('suspended');
    restore(story);
    expect(story.send()?.commandId).toBe(id);
  },
);

it('L30: after a role is restored, a busy platform or a lost answer is handled as usual', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', forbidden, { override });
  restore(story);
  story.send();
  expect(story.answer(id, unknown).outcome).toBe('unknown');
  story.at(story.nextDeadline ?? 0);
  expect(story.send()?.number).toBe(2);
  expect(story.answer(id, forbidden).outcome).toBe('unknown');
  restore(story);
  expect(story.send()?.number).toBe(2);
});

it('L24: an unknown command stays unknown while its role is suspended, and where it is forbidden afterwards', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  story.at(story.nextDeadline ?? 0);
  story.send();
  expect(story.answer(id, unauthorized)).toMatchObject({
    outcome: 'unknown',
    code: 'UNAUTHORIZED',
    attempts: 1,
  });
  expect(story.kinds).not.toContain('command-unknown');
  restore(story);
  expect(story.send()?.number).toBe(2);
  expect(story.answer(id, forbidden)).toMatchObject({ outcome: 'unknown', code: 'FORBIDDEN' });
  expect(story.kinds).toContain('command-unknown');
  restore(story);
  expect(story.send()).toBeNull();
});

it.each([
  ['dispatch.start', 5, whole.period.end],
  ['recall.complete', 30, origin + day],
] as const)('L30: a suspended %s ends at its deadline, as rejected', (action, status, deadline) => {
  const story = storyAt(status);
  const id = story.sendAction(action, unauthorized, { override });
  for (let next = story.nextDeadline; next !== null && next <= deadline; next = story.nextDeadline) {
    story.at(next);
    expect(story.send()).toBeNull();
  }
  expect(story.now).toBe(deadline);
  expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'TIME_OVER' });
});

it('L30: a suspended command that may have been applied stays unknown at its deadline', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  story.at(story.nextDeadline ?? 0);
  story.send();
  story.answer(id, unauthorized);
  story.at(whole.period.end);
  expect(story.send()).toBeNull();
  expect(story.shown(id)).toMatchObject({ outcome: 'unknown', code: 'TIME_OVER' });
});

it('L28: a suspended command ends with the reservation', () => {
  const story = storyAt(10);
  const id = story.sendAction('dispatch.complete', unauthorized, { override });
  story.status(40);
  expect(story.send()).toBeNull();
  expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'RESERVATION_TERMINAL' });
});

it('L26: a suspended command does not hold the slot', () => {
  const story = storyAt(10);
  story.sendAction('dispatch.carImage', unauthorized, { override });
  const next = story.accept('dispatch.staff');
  expect(story.send()?.commandId).toBe(next);
});
