import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import type { Outcome } from '../../../../src/domain/shared/outcome.js';
import { day, hour, minute, Story } from '../../../support/reservation-story.js';

const override = { reason: 'no photo needed' };
const noted = { override, body: { note: 'a scratch on the left door' } };
const accepted = { outcome: 'applied' } as const;
const busy = { outcome: 'held-back', code: 'RATE_LIMITED' } as const;

function returned(): Story {
  const story = new Story();
  story.registered();
  story.updated(30);
  return story;
}
function recalled(answer: lifecycle.Answer = accepted): Story {
  const story = returned();
  story.sendAction('recall.complete', answer, { commandId: 'r-1', ...noted });
  return story.at(story.now);
}
const noteOf = (story: Story) => story.view.recall.note;
const due = (story: Story) => story.outlook.note;
function ends(story: Story, answer: Outcome<{ memoId: number }>): Story {
  story.take(lifecycle.applyNoteAnswer(story.state, due(story)?.commandId ?? 'none', answer, story.now));
  return story.at(story.now);
}

function untilDue(story: Story): void {
  while (due(story) === null) story.at(story.nextDeadline ?? Number.NaN);
}

it('F57: the note is not part of the platform request; the memo names the reservation, and its writer is the sender of the action', () => {
  const story = recalled();
  expect(story.view.status).toMatchObject({ code: 35 });
  expect(due(story)).toEqual({
    commandId: 'r-1',
    at: story.now,
    carId: 12,
    content: '[reservation 8421] a scratch on the left door',
    writerName: 'dana',
    waits: 0,
  });
  expect(noteOf(story)).toMatchObject({
    outcome: 'pending',
    text: 'a scratch on the left door',
    memoId: null,
  });
});

it('F58: once the note is a memo nothing is left to write, and its text is deleted', () => {
  const story = ends(recalled(), { outcome: 'applied', memoId: 5 });
  expect(due(story)).toBeNull();
  expect(noteOf(story)).toMatchObject({ outcome: 'applied', memoId: 5, carId: 12, text: null });
  expect(story.kinds).toEqual([]);
  expect(story.entries.at(-1)).toMatchObject({ rule: 'F58', data: { commandId: 'r-1', memoId: 5 } });
  const before = story.state;
  story.take(lifecycle.applyNoteAnswer(before, 'r-1', { outcome: 'unknown', code: 'TIMEOUT' }, story.now));
  expect(story.state).toBe(before);
});

it('F57: a recall without a note, and a refused recall, write nothing', () => {
  const plain = returned();
  plain.sendAction('recall.complete', accepted, { override });
  expect([due(plain), noteOf(plain)]).toEqual([null, null]);
  const refused = recalled({ outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' });
  expect([due(refused), noteOf(refused)]).toEqual([null, null]);
});

it.each(['callback', 'person'])(
  'F58: a recall whose lost answer a %s resolves writes the note then, once',
  (by) => {
    const story = recalled({ outcome: 'unknown', code: 'TIMEOUT' });
    expect(due(story)).toBeNull();
    const settled = { commandId: 'r-1', outcome: 'applied', reason: 'seen', by: 'lee' } as const;
    if (by === 'callback') story.updated(35);
    else story.take(lifecycle.resolveCommand(story.state, settled, story.now));
    expect(due(story)?.commandId).toBe('r-1');
    ends(story, { outcome: 'applied', memoId: 5 });
    story.status(35);
    expect(due(story)).toBeNull();
  },
);

it('F58: two recalls with the same note are one memo, with different notes two', () => {
  const notes = (second: string) => {
    const story = returned();
    story.sendAction(
      'recall.complete',
      { outcome: 'unknown', code: 'TIMEOUT' },
      { commandId: 'r-1', ...noted },
    );
    story.accept('recall.complete', { commandId: 'r-2', override, body: { note: second } });
    story.send();
    story.answer('r-2', { outcome: 'unknown', code: 'TIMEOUT' });
    story.updated(35);
    return story.state.notes?.length;
  };
  expect(notes('a scratch on the left door')).toBe(1);
  expect(notes('no fuel')).toBe(2);
});

it('F58: the same note after it became a memo is no second memo', () => {
  const story = returned();
  story.sendAction(
    'recall.complete',
    { outcome: 'unknown', code: 'TIMEOUT' },
    { commandId: 'r-1', ...noted },
  );
  story.sendAction(
    'recall.complete',
    { outcome: 'unknown', code: 'TIMEOUT' },
    { commandId: 'r-2', ...noted },
  );
  const settled = { commandId: 'r-1', outcome: 'applied', reason: 'seen', by: 'lee' } as const;
  story.take(lifecycle.resolveCommand(story.state, settled, story.now));
  ends(story.at(story.now), { outcome: 'applied', memoId: 5 });
  story.updated(35);
  expect(story.shown('r-2').outcome).toBe('applied');
  expect(due(story.at(story.now))).toBeNull();
});

it('F58: the memo concerns the car believed when the recall was sent', () => {
  const story = returned();
  story.accept('recall.complete', { commandId: 'r-1', ...noted });
  story.send();
  story.updated(30, { car: { id: 13, number: null } });
  story.answer('r-1', accepted);
  expect(due(story.at(story.now))?.carId).toBe(12);
});

it('F58: while the platform accepts no request the note waits ever longer with one entry; after a day it is given up', () => {
  const story = recalled();
  const recalledAt = story.now;
  const rests: number[] = [];
  while (noteOf(story)?.outcome === 'pending') {
    const from = story.now;
    ends(story, busy);
    while (due(story) === null && story.nextDeadline !== null && noteOf(story)?.outcome === 'pending')
      story.at(story.nextDeadline);
    rests.push((story.now - from) / minute);
  }
  expect(rests.slice(0, 6)).toEqual([5, 10, 20, 40, 60, 60]);
  expect(story.now - recalledAt).toBeGreaterThan(22 * hour);
  expect(story.now - recalledAt).toBeLessThanOrEqual(day);
  expect(noteOf(story)).toMatchObject({ outcome: 'rejected', code: 'RATE_LIMITED' });
  expect(story.entries.filter(({ rule }) => rule === 'F58')).toHaveLength(1);
});

it.each(['rejected', 'unknown'] as const)(
  'F59: a note that is %s raises attention, which a person resolves',
  (outcome) => {
    const story = ends(recalled(), { outcome, code: 'NOT_FOUND', message: 'no' });
    expect(story.kinds).toEqual(['note-not-kept']);
    expect(noteOf(story)).toMatchObject({ outcome, code: 'NOT_FOUND', text: 'a scratch on the left door' });
    const alert = story.entries.at(-1)?.attention?.alert ?? '';
    expect(alert).toContain('r-1');
    expect(JSON.stringify(story.entries)).not.toContain('scratch');
    const resolved = { kind: 'note-not-kept', reason: 'written by hand', by: 'lee' } as const;
    story.take(lifecycle.resolveAttention(story.state, resolved, story.now));
    expect(story.kinds).toEqual([]);
    expect(due(story)).toBeNull();
  },
);

it('F59: a note of an unknown car is not sent, and raises attention', () => {
  const story = new Story();
  story.status(30);
  story.sendAction('recall.complete', accepted, noted);
  expect(due(story.at(story.now))).toBeNull();
  expect(story.kinds).toContain('note-not-kept');
});

it('L47: a reservation closes when its note has ended, and not before', () => {
  const story = recalled();
  story.updated(35);
  story.at(story.now + day);
  expect(story.outlook.closed).toBe(false);
  expect(ends(story, { outcome: 'applied', memoId: 5 }).outlook.closed).toBe(true);
});

it('L21: the same command id with another note is refused, with the same one it is a repeat', () => {
  const story = recalled();
  expect(story.refusal('recall.complete', { commandId: 'r-1', ...noted })).toBeNull();
  const other = { commandId: 'r-1', override, body: { note: 'no fuel' } };
  expect(story.refusal('recall.complete', other)?.code).toBe('COMMAND_ID_REUSED');
});

it('F58: a note whose next try falls a day after its recall waits for it; one that falls later is given up', () => {
  const outcome = (from: number) => {
    const story = recalled();
    story.now += day - from;
    story.take(lifecycle.applyNoteAnswer(story.state, 'r-1', busy, story.now));
    return noteOf(story)?.outcome;
  };
  expect(outcome(5 * minute)).toBe('pending');
  expect(outcome(5 * minute - 1)).toBe('rejected');
});

it('F58, F59: a note that waits has an entry for each new reason, and one for its end', () => {
  const story = recalled();
  const entries = () =>
    story.entries
      .filter(({ rule, kind }) => /F5[89]/.test(rule) && kind === 'command')
      .map(({ rule, data }) => [rule, data.code]);
  ends(story, busy);
  untilDue(story);
  ends(story, busy);
  expect(entries()).toEqual([['F58', 'RATE_LIMITED']]);
  untilDue(story);
  ends(story, { outcome: 'held-back', code: 'UNREACHABLE' });
  story.now += 2 * day;
  story.at(story.now);
  ends(story, { outcome: 'held-back', code: 'UNREACHABLE' });
  expect(entries()).toEqual([
    ['F58', 'RATE_LIMITED'],
    ['F58', 'UNREACHABLE'],
    ['F59', 'UNREACHABLE'],
  ]);
  expect(noteOf(story)).toMatchObject({ outcome: 'rejected', code: 'UNREACHABLE' });
});

it('F58: each attempt of a note has how often it was held back; the entry has the command, the car and the outcome', () => {
  const story = recalled();
  ends(story, busy);
  expect(due(story)).toBeNull();
  untilDue(story);
  expect(due(story)?.waits).toBe(1);
  const entry = story.entries.findLast(({ rule }) => rule === 'F58');
  expect(entry).toMatchObject({ kind: 'command' });
  expect(entry?.data).toEqual({
    commandId: 'r-1',
    carId: 12,
    outcome: 'pending',
    memoId: null,
    code: 'RATE_LIMITED',
  });
});

it('F58: of two notes each ends on its own, and the older one is written first', () => {
  const story = returned();
  for (const [commandId, note] of [
    ['r-1', 'no fuel'],
    ['r-2', 'a scratch'],
  ] as const)
    story.sendAction(
      'recall.complete',
      { outcome: 'unknown', code: 'TIMEOUT' },
      { commandId, override, body: { note } },
    );
  for (const commandId of ['r-1', 'r-2'])
    story.take(
      lifecycle.resolveCommand(
        story.state,
        { commandId, outcome: 'applied', reason: 'seen', by: 'lee' },
        story.now,
      ),
    );
  story.at(story.now);
  expect(due(story)).toMatchObject({ commandId: 'r-1', content: '[reservation 8421] no fuel' });
  ends(story, { outcome: 'applied', memoId: 5 });
  expect(due(story)).toMatchObject({ commandId: 'r-2', content: '[reservation 8421] a scratch' });
  expect(story.state.notes?.map(({ outcome, memoId, text }) => [outcome, memoId, text])).toEqual([
    ['applied', 5, null],
    ['pending', null, 'a scratch'],
  ]);
  expect(noteOf(story)).toMatchObject({ commandId: 'r-2', outcome: 'pending' });
  expect(story.outlook.closed).toBe(false);
});

it('F59: the note of an unknown car has ended when its recall took effect, without a memo', () => {
  const story = new Story();
  story.status(30);
  story.sendAction('recall.complete', accepted, noted);
  expect(story.state.notes).toMatchObject([
    { carId: null, outcome: 'rejected', code: 'CAR_UNKNOWN', settledAt: story.now, memoId: null, waits: 0 },
  ]);
});

it('F58: a note is shown with who wrote it, and when the recall took effect', () => {
  const story = recalled();
  expect(noteOf(story)).toEqual({
    commandId: 'r-1',
    carId: 12,
    by: 'dana',
    at: '2026-11-21T09:00:00.000+09:00',
    text: 'a scratch on the left door',
    outcome: 'pending',
    memoId: null,
    code: null,
  });
});

it('F58: of the notes that have ended the newest two are stored', () => {
  const story = returned();
  const ids = ['r-1', 'r-2', 'r-3'];
  for (const commandId of ids) {
    const body = { note: `note ${commandId}` };
    story.sendAction(
      'recall.complete',
      { outcome: 'unknown', code: 'TIMEOUT' },
      { commandId, override, body },
    );
  }
  story.updated(35);
  const write = (commandId: string) => {
    story.take(
      lifecycle.applyNoteAnswer(story.state, commandId, { outcome: 'applied', memoId: 5 }, story.now),
    );
    return story.state.notes?.map((one) => one.commandId);
  };
  expect(write('r-2')).toEqual(['r-3', 'r-2', 'r-1']);
  expect(write('r-1')).toEqual(['r-3', 'r-2', 'r-1']);
  expect(write('r-3')).toEqual(['r-2', 'r-1']);
});
