import { expect, it } from 'vitest';
import { belief } from '../../../../src/domain/reservation/belief.js';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  hour,
  minute,
  origin,
  override,
  registered,
  Story,
  unknown,
  whole,
} from '../../../support/reservation-story.js';
import { attentionTexts } from '../../../support/sentences.js';

const { start, end } = whole.period;

function read(story: Story, entry: lifecycle.ScheduleEntry | null): Story {
  const evidence = { at: story.now, entry, candidates: [], confirmed: true };
  story.take(lifecycle.corroborate(story.state, evidence, story.now));
  return story;
}
function used(): Story {
  const story = registered();
  story.updated(20);
  return story;
}

/** A story in which an item is raised, and its causes: what it is about, and since when that holds. */
const cases: [kind: lifecycle.AttentionKind, rule: string, Story, causes: Record<string, number>][] = [];
function when(
  kind: lifecycle.AttentionKind,
  rule: string,
  causes: Record<string, number>,
  story: Story,
): void {
  cases.push([kind, rule, story, causes]);
}
{
  const story = used();
  story.at(origin + minute).status(45);
  when('terminal-contradiction', 'L08', { '20-45': origin + minute }, story);
}
{
  const story = registered().at(origin + minute);
  story.status(45);
  story.at(origin + 2 * minute).status(20);
  when('terminal-contradiction', 'L08', { '20-45': origin + 2 * minute }, story);
}
{
  const story = registered().at(origin + minute);
  story.status(45);
  story.at(origin + 2 * minute).status(50);
  when('conflict', 'L10', { '45-50': origin + 2 * minute }, story);
}
{
  const story = registered();
  story.updated(10);
  story.at(origin + minute).status(40);
  when('retrieve-car', 'L28', { '40': origin + minute }, story);
}
{
  const story = registered();
  story.sendAction('dispatch.start', unknown, { override, commandId: 'c-1' });
  story.at(origin + minute).status(40);
  when('retrieve-car', 'L28', { 'c-1': origin + minute }, story);
}
{
  const story = registered();
  story.at(origin + minute).status(99);
  when('unknown-status', 'L11', { '99': origin + minute }, story);
}
when(
  'incomplete',
  'L05',
  { facts: origin + 10 * minute },
  (() => {
    const story = new Story();
    story.status(5);
    return story.at(origin + 10 * minute);
  })(),
);
{
  const story = new Story();
  story.updated(10);
  story.at(origin + minute).updated(10, { period: { start, end: end + hour } });
  const since = origin + minute + story.state.policy.ambiguousMs;
  when('ambiguous', 'L13', { period: since }, story.at(since));
}
when('schedule-missing', 'L19', { entry: origin + minute }, read(registered().at(origin + minute), null));
when(
  'schedule-differs',
  'L19',
  { [`77:13:${start}-${end}`]: origin + minute },
  read(registered().at(origin + minute), { scheduleId: 77, carId: 13, start, end }),
);
when(
  'odd-period',
  'L17',
  { [`${end}-${start}`]: origin },
  registered({ period: { start: end, end: start } }),
);
when('spec-violation', 'L06', { registration: origin }, registered({ status: 10 }));
when('dispatch-not-started', 'L40', { [start]: start - hour }, registered().at(start - hour));
when('handover-late', 'L41', { [start]: start }, registered().at(start));
when('callback-overdue', 'L42', { [end]: end + 3 * minute }, registered().at(end + 3 * minute));
when('return-late', 'L43', expect.objectContaining({}), used().at(end));
{
  const story = used();
  story.updated(30);
  when('recall-overdue', 'L45', { '30': origin + 12 * hour }, story.at(origin + 12 * hour));
}
{
  const story = registered();
  story.sendAction('dispatch.staff', unknown, { commandId: 'c-1' });
  when('command-unknown', 'L24', { 'c-1': origin }, story);
}
{
  const story = registered();
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override, commandId: 'c-1' });
  when('not-announced', 'L46', { 'c-1': origin + 10 * minute }, story.at(origin + 10 * minute));
}
{
  const story = registered();
  story.updated(30);
  const parts = { override, body: { note: 'a scratch' }, commandId: 'c-1' };
  story.sendAction('recall.complete', { outcome: 'applied' }, parts);
  story.take(lifecycle.applyNoteAnswer(story.state, 'c-1', unknown, story.now));
  when('note-not-kept', 'F59', { 'c-1': origin }, story);
}
{
  const story = used().at(end);
  const { lookAhead } = story.outlook;
  const next = { scheduleId: 77, type: 'R', start: end + 3 * hour, end: end + 9 * hour } as const;
  if (lookAhead !== null)
    story.take(
      lifecycle.applyLookAhead(story.state, lookAhead, { kind: 'seen', next, candidates: null }, story.now),
    );
  when('next-in-danger', 'F61', { [`77@${next.start}`]: end }, story);
}

{
  const story = registered();
  const commandId = story.accept('dispatch.start', { override, commandId: 'c-1' });
  story.send();
  story.at(origin + minute).status(40);
  story.at(origin + 2 * minute).answer(commandId, unknown);
  when('retrieve-car', 'L28', { 'c-1': origin + 2 * minute }, story);
}
{
  const story = registered();
  const commandId = story.accept('dispatch.staff', { commandId: 'c-1' });
  story.send();
  story.at(origin + minute).answer(commandId, unknown);
  when('command-unknown', 'L24', { 'c-1': origin + minute }, story);
}
{
  const story = registered();
  const commandId = story.accept('dispatch.start', { override, commandId: 'c-1' });
  story.send();
  story.at(origin + minute).answer(commandId, { outcome: 'applied' });
  when('not-announced', 'L46', { 'c-1': origin + 11 * minute }, story.at(origin + 11 * minute));
}
{
  const story = registered();
  story.updated(30);
  const parts = { override, body: { note: 'a scratch' }, commandId: 'c-1' };
  story.sendAction('recall.complete', { outcome: 'applied' }, parts);
  const refused = { outcome: 'rejected', code: 'TIMEOUT', message: 'no' } as const;
  story.at(origin + minute);
  story.take(lifecycle.applyNoteAnswer(story.state, 'c-1', refused, story.now));
  when('note-not-kept', 'F59', { 'c-1': origin + minute }, story);
}
{
  const story = used().at(end);
  const { lookAhead } = story.outlook;
  const next = { scheduleId: 77, type: 'R', start: end - hour, end: end + 9 * hour } as const;
  if (lookAhead !== null)
    story.take(
      lifecycle.applyLookAhead(story.state, lookAhead, { kind: 'seen', next, candidates: null }, story.now),
    );
  when('next-in-danger', 'F61', { [`77@${next.start}`]: end, [`77@${next.start}+0`]: end }, story);
}

it.each(cases)(
  '%s, %s: is raised under its rule, for its causes and since these hold',
  (kind, rule, story, causes) => {
    expect(story.state.attention.find((one) => one.kind === kind)?.causes).toEqual(causes);
    const raised = story.entries.filter(({ attention }) => attention?.kind === kind);
    expect(raised.map((one) => one.rule)).toEqual(raised.map(() => rule));
    expect(raised.at(-1)?.attention?.alert).toContain(`[${rule}] ${kind}: reservation 8421`);
  },
);

const timed: readonly string[] = [
  'dispatch-not-started',
  'handover-late',
  'callback-overdue',
  'return-late',
  'next-in-danger',
  'recall-overdue',
  'not-announced',
  'incomplete',
  'ambiguous',
];
it.each(cases)('%s: its entry states whether the passing of time raised it', (kind, _, { entries }) => {
  const raised = entries.filter(({ attention }) => attention?.kind === kind);
  expect(raised.map((one) => one.kind)).toEqual(
    raised.map(() => (timed.includes(kind) ? 'timer' : 'decision')),
  );
});

it('an alert names up to eight causes, and how many more there are', () => {
  const { state } = registered();
  const alert = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => `c-${index + 1}`);
    return attentionTexts('command-unknown', 'L24', { state, what: belief(state), keys }).operations;
  };
  expect(alert(1)).not.toMatch(/,.*c-1|more/);
  expect(alert(8)).toContain('c-7, c-8');
  expect(alert(8)).not.toContain('more');
  expect(alert(9)).toContain('c-8 and 1 more');
  expect(alert(11)).toContain('c-8 and 3 more');
});

it('L28: an alert about a car to fetch names the commands where only their outcome is unknown', () => {
  const { state } = registered();
  const texts = (...keys: string[]) =>
    attentionTexts('retrieve-car', 'L28', { state, what: belief(state), keys });
  expect(texts('c-1').operations).toContain('c-1');
  expect(texts('40', 'c-1').operations).not.toContain('c-1');
  expect(texts('40', 'c-1').person).toBe(texts('40').person);
  expect(texts('c-1').person).not.toBe(texts('40').person);
});

it('F59: an alert about notes has the code of each, or that there is none', () => {
  const { state } = cases.find(([kind]) => kind === 'note-not-kept')?.[2] ?? registered();
  const notes = (state.notes ?? []).flatMap((note) => [note, { ...note, commandId: 'c-2', code: null }]);
  const subject = { state: { ...state, notes }, what: belief(state), keys: ['c-1'] };
  expect(attentionTexts('note-not-kept', 'F59', subject).operations).toContain('c-1 (TIMEOUT, -)');
});

const [from, to] = ['2026-11-21T13:00:00.000+09:00', '2026-11-22T13:00:00.000+09:00'];
/** By kind: what the text for people names, and what the alert names. */
const named: Partial<Record<lifecycle.AttentionKind, [person: string[], operations: string[]]>> = {
  'terminal-contradiction': [['20 (in use) and 45'], ['20 and 45']],
  conflict: [['45 (no-show cancelled) and 50 (reservation failed)'], ['both 45 and 50']],
  'unknown-status': [['99'], ['99']],
  ambiguous: [['period'], ['period']],
  'schedule-missing': [['car 12', from], []],
  'schedule-differs': [
    ['car 13', from, to, 'schedule 77'],
    ['car 13', from, to, 'schedule 77'],
  ],
  incomplete: [['period, car'], ['period, car']],
  'odd-period': [[], [`${to} to ${from}`]],
  'dispatch-not-started': [[from], [from]],
  'handover-late': [[from], [from]],
  'callback-overdue': [[to], [to]],
  'return-late': [[to], [to]],
  'command-unknown': [[], ['c-1']],
  'not-announced': [[], ['c-1']],
  'note-not-kept': [[], ['c-1']],
};
it.each(cases)('%s: its texts name the values and ids that it is about', (kind, _, { view, entries }) => {
  const [person, operations] = named[kind] ?? [[], []];
  const message = view.attention.find((one) => one.kind === kind)?.message;
  const alert = entries.findLast(({ attention }) => attention?.kind === kind)?.attention?.alert;
  for (const part of person) expect(message).toContain(part);
  for (const part of operations) expect(alert).toContain(part);
});

it('a text names no car, period or status that is not known', () => {
  const { state } = new Story();
  const texts = (kind: lifecycle.AttentionKind, ...keys: string[]) =>
    Object.values(attentionTexts(kind, 'L46', { state, what: belief(state), keys })).join(' ');
  expect(texts('schedule-missing')).toMatch(/car unknown.*an unknown time.*without a known status/);
  expect(texts('retrieve-car', '40')).toContain('car unknown');
  expect(texts('retrieve-car', 'c-1')).toContain('car unknown');
  expect(texts('schedule-differs')).toContain('nothing');
  expect(texts('return-late')).not.toContain('it was due at');
});

it('L28: a text about a car to fetch names the car', () => {
  for (const [kind, , { entries }] of cases) {
    const alert = entries.findLast(({ attention }) => attention?.kind === kind)?.attention?.alert;
    if (kind === 'retrieve-car') expect(alert).toContain('car 12');
  }
});

it('L24: a command that is retried is shown as unknown once its third attempt has no outcome, and while the fourth is out', () => {
  const story = registered();
  const commandId = story.accept('dispatch.start', { override });
  const shown = [1, 2, 3, 4].flatMap(() => {
    while (story.send() === null) story.at(story.nextDeadline ?? Number.NaN);
    const whileOut = story.at(story.now).kinds.includes('command-unknown');
    story.answer(commandId, unknown);
    return [whileOut, story.kinds.includes('command-unknown')];
  });
  expect(shown).toEqual([false, false, false, false, false, true, true, true]);
});
