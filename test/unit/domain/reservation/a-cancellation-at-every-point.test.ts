import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  minute,
  origin,
  override,
  type Story,
  storyAt,
  unknown,
} from '../../../support/reservation-story.js';

const accepted = { outcome: 'applied' } as const;
const waits = { outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: minute } as const;
const suspended = { outcome: 'held-back', code: 'UNAUTHORIZED' } as const;
const refused = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'cancelled' } as const;

/** Statuses from which the platform cancels (States table), and the commands that can be under way there. */
const points = [5, 10, 15].flatMap((status) =>
  lifecycle.actions
    .filter((action) => storyAt(status).refusal(action, { override }) === null)
    .map((action) => [action, status] as const),
);

/** Nothing is sent after the end, however long one waits and whatever comes back. */
function nothingMore(story: Story): void {
  expect(story.send()).toBeNull();
  story.take(lifecycle.restoreRole(story.state, story.now));
  for (let looks = 0; looks < 20 && story.nextDeadline !== null; looks++) {
    story.at(story.nextDeadline ?? 0);
    expect(story.send()).toBeNull();
  }
}
const fetches = (story: Story) => story.kinds.includes('retrieve-car');

it('the sweep covers each of the eight commands', () => {
  expect(new Set(points.map(([action]) => action)).size).toBe(8);
});

describe.each(points)('L28: %s under way at %i when the cancellation comes', (action, status) => {
  const reached = status >= 10;

  it('not sent yet: it ends, and nothing reaches the platform', () => {
    const story = storyAt(status);
    const id = story.accept(action, { override });
    story.status(40);
    nothingMore(story);
    expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'RESERVATION_TERMINAL', attempts: 0 });
    expect(story.entries.find(({ data }) => data.code === 'RESERVATION_TERMINAL')).toMatchObject({
      rule: 'L28',
    });
    expect(fetches(story)).toBe(reached);
  });

  it('out: it finishes as applied, and its effect counts', () => {
    const story = storyAt(status);
    const id = story.accept(action, { override });
    story.send();
    story.status(40);
    expect(story.answer(id, accepted).outcome).toBe('applied');
    nothingMore(story);
    // an accepted recall says 30 or 35, which no cancelled reservation reaches: a contradiction, shown as such
    if (action.startsWith('recall.') && action !== 'recall.staff')
      expect(story.view.marks.some((mark) => /conflict|contradiction/.test(mark))).toBe(true);
    else expect(story.view.status.code).toBe(40);
    if (story.view.status.code === 40) expect(fetches(story)).toBe(reached || action !== 'dispatch.staff');
  });

  it.each([refused, waits, suspended])('out: it is answered $kind, and ends', (answer) => {
    const story = storyAt(status);
    const id = story.accept(action, { override });
    story.send();
    story.status(40);
    story.answer(id, answer);
    nothingMore(story);
    expect(story.shown(id).outcome).toBe('rejected');
    expect(story.view.status.code).toBe(40);
    expect(fetches(story)).toBe(reached);
  });

  it('out: its answer is lost: it stays unknown and visible, and a person resolves it', () => {
    const story = storyAt(status);
    const id = story.accept(action, { override });
    story.send();
    story.status(40);
    story.answer(id, unknown);
    nothingMore(story);
    expect(story.shown(id).outcome).toBe('unknown');
    expect(story.kinds).toContain('command-unknown');
    expect(fetches(story)).toBe(reached || action !== 'dispatch.staff');
    const settled = {
      commandId: id,
      outcome: 'rejected',
      reason: 'asked the driver',
      by: 'manager',
    } as const;
    story.take(lifecycle.resolveCommand(story.state, settled, story.now));
    expect(story.kinds).not.toContain('command-unknown');
    expect(fetches(story)).toBe(reached);
  });

  it.each([waits, suspended])('waiting after $code: it ends at once', (answer) => {
    const story = storyAt(status);
    const id = story.sendAction(action, answer, { override });
    story.status(40);
    nothingMore(story);
    expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'RESERVATION_TERMINAL' });
    expect(fetches(story)).toBe(reached);
  });

  it('unknown: it is not sent again, and stays unknown', () => {
    const story = storyAt(status);
    const id = story.sendAction(action, unknown, { override });
    story.status(40);
    nothingMore(story);
    expect(story.shown(id)).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(fetches(story)).toBe(reached || action !== 'dispatch.staff');
  });
});

it('L28: a start that a person resolves as applied after the cancellation keeps the task to fetch the car open', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  story.status(40);
  expect(story.view.attention.find(({ kind }) => kind === 'retrieve-car')?.message).toContain(
    'may be on its way',
  );
  expect(story.at(origin + 20 * 24 * 60 * minute).view.closed).toBe(false);
  const settled = {
    commandId: id,
    outcome: 'applied',
    reason: 'the driver is under way',
    by: 'manager',
  } as const;
  story.take(lifecycle.resolveCommand(story.state, settled, story.now));
  expect(fetches(story)).toBe(true);
  expect(story.at(origin + 40 * 24 * 60 * minute).view.closed).toBe(false);
});

it('L28: the task to fetch the car outlasts whatever is reported later; a person resolves it', () => {
  const story = storyAt(10);
  story.status(40);
  story.status(35);
  expect(story.view.status.code).toBe(35);
  expect(fetches(story)).toBe(true);
  expect(story.at(origin + 40 * 24 * 60 * minute).view.closed).toBe(false);
  const resolution = { kind: 'retrieve-car', reason: 'it is back', by: 'manager' } as const;
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  story.at(story.now);
  expect(fetches(story)).toBe(false);
  expect(story.view.closed).toBe(true);
});

it('L28: where the car was recalled, a command of unknown outcome opens no task to fetch it, whichever came first', () => {
  for (const ends of [
    [40, 35],
    [35, 40],
  ]) {
    const story = storyAt(5);
    story.sendAction('dispatch.carImage', unknown, { override });
    for (const status of ends) story.status(status);
    expect(fetches(story)).toBe(false);
  }
});

it('L28: a manager who reverts the cancellation ends the task with it', () => {
  const story = storyAt(10);
  story.status(40);
  const asserted = { status: 10, reason: 'it was another one', by: 'manager' };
  story.take(lifecycle.assertFacts(story.state, asserted, story.now));
  expect(fetches(story)).toBe(false);
});
