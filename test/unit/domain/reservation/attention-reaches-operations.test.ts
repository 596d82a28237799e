import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { day, hour, minute, Story, whole } from '../../../support/reservation-story.js';

const { end } = whole.period;
const resolution = { kind: 'return-late', reason: 'Kim is stuck in traffic', by: 'dana' } as const;

function changes(story: Story): (string | number)[][] {
  return story.entries.flatMap(({ attention, at }) =>
    attention === undefined ? [] : [[attention.kind, attention.change, attention.since, at]],
  );
}
function late(): Story {
  const story = new Story();
  story.registered();
  story.updated(20);
  return story.at(end);
}

it('L43: each time an item is raised, raised again or cleared by its cause, operations are notified', () => {
  const story = late().at(end + 15 * minute);
  story.updated(30);
  expect(changes(story)).toEqual([
    ['return-late', 'raised', end, end],
    ['return-late', 'raised', end, end + 15 * minute],
    ['return-late', 'cleared', end, end + 15 * minute],
  ]);
});

it('an item that a person resolves is cleared once, and raised again by something new', () => {
  const story = late();
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  expect(changes(story).at(-1)).toEqual(['return-late', 'cleared', end, end]);
  expect(story.kinds).toEqual([]);
  story.at(end + 10 * minute);
  expect(changes(story)).toHaveLength(2);
  story.at(end + 15 * minute);
  expect(changes(story).at(-1)).toEqual(['return-late', 'raised', end, end + 15 * minute]);
  expect(story.kinds).toEqual(['return-late']);
});

it('L43: a repeated raise is marked as repeated, unless a person had resolved the item', () => {
  const story = late().at(end + 15 * minute);
  const raised = () => story.entries.filter(({ attention }) => attention?.change === 'raised').at(-1);
  expect(raised()).toMatchObject({ attention: { again: true } });
  expect(raised()?.text).toContain('Still needs attention');
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  story.at(end + 60 * minute);
  expect(raised()?.at).toBe(end + 60 * minute);
  expect(raised()?.attention).not.toHaveProperty('again');
  expect(raised()?.text).toMatch(/^Needs attention/);
});

it('L47: an item that is open when a reservation closes is cleared for operations, and stays in its view', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  story.status(45);
  story.at(story.now + 2 * day);
  expect(story.view.closed).toBe(true);
  expect(changes(story)).toEqual([
    ['terminal-contradiction', 'raised', expect.any(Number), expect.any(Number)],
    ['terminal-contradiction', 'cleared', expect.any(Number), story.now],
  ]);
  expect(story.entries.at(-1)?.attention?.alert).toContain('closed with it open');
  expect(story.kinds).toEqual(['terminal-contradiction']);
  story.status(40);
  story.at(story.now);
  expect(story.view.closed).toBe(false);
  const later = changes(story).slice(2);
  expect(later).toContainEqual(['terminal-contradiction', 'raised', expect.any(Number), story.now]);
});

it('a resolved item whose cause ends is not cleared twice', () => {
  const story = late();
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  story.updated(30);
  expect(changes(story)).toHaveLength(2);
});

it('an item shows since when its present cause holds', () => {
  const story = new Story();
  story.updated(10);
  const first = story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  story.at(story.now + hour);
  story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  const input = { commandId: first, outcome: 'rejected', reason: 'asked them', by: 'manager' } as const;
  story.take(lifecycle.resolveCommand(story.state, input, story.now));
  expect(story.view.attention).toMatchObject([
    { kind: 'command-unknown', since: '2026-11-21T10:00:00.000+09:00' },
  ]);
});

it('the alert has ids, codes and the rule; the message has a text; neither has personal data', () => {
  const story = new Story();
  story.registered({ pickupMemo: 'gate 2' });
  const commandId = story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  story.take(
    lifecycle.assertFacts(story.state, { status: 40, reason: 'Kim called', by: 'manager' }, story.now),
  );
  story.status(20);
  story.at(story.now + 3 * day);
  const raised = story.entries.filter(({ attention }) => attention?.change === 'raised');
  expect(raised.length).toBeGreaterThan(2);
  for (const { text, rule, attention } of raised) {
    expect(attention?.alert).toContain(`[${rule}] ${attention?.kind}: reservation 8421`);
    expect(text).not.toContain('8421');
    expect(story.view.attention.map(({ message }) => message)).not.toContain(attention?.alert);
  }
  const unknown = raised.find(({ attention }) => attention?.kind === 'command-unknown');
  expect(unknown?.attention?.alert).toContain(commandId);
  expect(JSON.stringify(story.entries)).not.toMatch(/Kim|gate 2|0101234/);
});
