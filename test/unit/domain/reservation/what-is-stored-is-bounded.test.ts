import { expect, it } from 'vitest';
import { storeDecision } from '../../../../src/domain/reservation/decisions.js';
import { details } from '../../../../src/domain/reservation/details.js';
import { claim, type Fact, overrule } from '../../../../src/domain/reservation/facts.js';
import { mostStoredCommands } from '../../../../src/domain/reservation/index.js';
import { storeNote } from '../../../../src/domain/reservation/recall-note.js';
import { origin, Story } from '../../../support/reservation-story.js';

const made = { grade: 'observed' as const, source: '1', at: origin, changedAt: null };

/** A fact that was reported with so many values at one status, the newest last. */
function reported(values: readonly string[]): Fact<string> {
  const fact = values.reduce<Fact<string> | null>(
    (known, value, arrival) => claim(known, 10, { ...made, value, arrival }),
    null,
  );
  if (fact === null) throw new Error('no value');
  return fact;
}
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

it.each([
  [6, 6, 6],
  [7, 6, 7],
  [24, 6, 24],
  [25, 6, 24],
  [40, 6, 24],
])('L13: of %i values of a fact %i are stored, and %i are known', (values, stored, known) => {
  const fact = reported(numbered(values));
  expect(fact.claims.map(({ value }) => value)).toEqual(numbered(values).slice(-stored));
  expect(fact.known).toHaveLength(known);
  const asserted = overrule(fact, 10, { ...made, grade: 'asserted', value: 'asserted', arrival: values });
  expect(asserted.known).toHaveLength(Math.min(known + 1, 24));
  expect(asserted.claims).toHaveLength(1);
});

it('L13: what a callback reported is stored before what we sent, however much of that comes later', () => {
  const fact = numbered(8).reduce<Fact<string>>(
    (known, value, index) =>
      claim(known, 10, { ...made, grade: 'commanded', value: `sent ${value}`, arrival: index + 1 }),
    reported(['reported']),
  );
  expect(fact.claims).toHaveLength(6);
  expect(fact.claims.at(-1)?.value).toBe('reported');
});

it('L13: the values of a fact have 800 bytes together, the newest in full, and of an older one 8 letters stay', () => {
  const cut = (older: number, newer: number) =>
    reported(['x'.repeat(older), 'y'.repeat(newer)]).claims.map(({ value }) => value.length);
  // a text has two quotation marks
  expect(cut(398, 398)).toEqual([398, 398]);
  expect(cut(399, 398)).toEqual([8, 398]);
  expect(cut(10, 1_000)).toEqual([8, 1_000]);
});

it('L60: one text has 1,600 bytes, a value with several texts 1,000', () => {
  const length = (letters: string) => reported([letters]).claims[0]?.value.length;
  expect(length('가'.repeat(532))).toBe(532);
  expect(length('가'.repeat(533))).toBe(500);
  const parts = (name: string) =>
    claim(null, 10, { ...made, value: { name }, arrival: 1 }).claims[0]?.value.name;
  expect(parts('x'.repeat(989))).toHaveLength(989);
  expect(parts('x'.repeat(990))).toHaveLength(500);
});

it('L11: the newest 8 unknown statuses are stored', () => {
  const story = new Story();
  for (let code = 60; code < 70; code++) story.status(code);
  expect(story.state.unknownStatuses.map(({ code }) => code)).toEqual([62, 63, 64, 65, 66, 67, 68, 69]);
});

it('L61: 16 names of malformed fields are stored, in alphabetical order, each once', () => {
  const story = new Story();
  const names = Array.from({ length: 20 }, (_, index) => `f${index + 10}`);
  story.registered({ malformed: names.toReversed() });
  story.updated(10, { malformed: names });
  expect(story.state.malformed).toEqual(names.slice(0, 16));
});

it('L01: the newest 256 event ids are stored', () => {
  const story = new Story();
  for (let id = 0; id < 257; id++) story.status(5, { eventId: `id-${id}`, contentHash: `${id}` });
  expect(story.state.seen).toHaveLength(256);
  expect(story.status(5, { eventId: 'id-1', contentHash: 'x' }).rule).toBe('L01');
  expect(story.status(5, { eventId: 'id-0', contentHash: 'y' }).rule).toBe('L02');
});

it('L14: the newest 16 car changes are stored, also where a replay adds one in its place', () => {
  const story = new Story();
  const first = story.event('car', { previousCarId: 98, car: { id: 99, number: null } });
  const changes = () => story.state.carChanges.map(({ from }) => from);
  for (let from = 1; from <= 17; from++) story.at(origin + from).carChanged(from, from + 1);
  const newest = Array.from({ length: 16 }, (_, index) => index + 2);
  expect(changes()).toEqual(newest);
  story.observe({ ...first, replay: 1 });
  expect(changes()).toEqual(newest);
  story.observe({ ...first, eventId: 'later', receivedAt: origin + 17, replay: 2, inboxId: 99 });
  expect(changes()).toEqual([...newest.slice(1), 98]);
});

it('L14: a car of an event has 128 bytes', () => {
  const story = new Story();
  const number = (letters: number) => {
    story.observe(
      story.event('car', { previousCarId: 1, car: { id: letters, number: 'x'.repeat(letters) } }),
    );
    return story.state.carChanges.at(-1)?.to.number?.length;
  };
  const room = 128 - JSON.stringify({ id: 100, number: '' }).length;
  expect(number(room)).toBe(room);
  expect(number(room + 1)).toBe(62);
});

it('L60: the newest 16 decisions are stored, and their reasons have 2,000 bytes together', () => {
  const { state } = new Story();
  const stored = (count: number, reason: string) =>
    numbered(count).reduce((known, by, at) => storeDecision(known, { at, by, about: 'facts', reason }), state)
      .decisions;
  expect(stored(16, 'why').map(({ by }) => by)).toEqual(numbered(16));
  expect(stored(17, 'why').map(({ by }) => by)).toEqual(numbered(17).slice(1));
  const lengths = (...letters: number[]) =>
    letters
      .reduce(
        (known, count, at) =>
          storeDecision(known, { at, by: 'kim', about: 'facts', reason: 'x'.repeat(count) }),
        state,
      )
      .decisions.map(({ reason }) => reason.length);
  expect(lengths(998, 998)).toEqual([998, 998]);
  expect(lengths(999, 998)).toEqual([1, 998]);
});

it('F58: of the notes that are over the newest 2 are stored, and each that is still to be written', () => {
  const story = new Story();
  story.registered();
  story.accept('dispatch.staff');
  const stored = (...cars: (number | null)[]) =>
    cars.reduce((state, carId, index) => {
      const [command] = story.state.commands;
      if (command === undefined) throw new Error('no command');
      return storeNote(
        state,
        { ...command, commandId: `c-${index}`, carId, body: { note: `n${index}` } },
        origin,
      );
    }, story.state).notes;
  expect(stored(null, null, null)?.map(({ text }) => text)).toEqual(['n1', 'n2']);
  expect(stored(1, 2, 3)?.map(({ text }) => text)).toEqual(['n0', 'n1', 'n2']);
  expect(stored(null, null, 1)?.map(({ text }) => text)).toEqual(['n0', 'n1', 'n2']);
  expect(stored(1, null, null, null)?.map(({ text }) => text)).toEqual(['n0', 'n2', 'n3']);
  expect(stored(1, null)?.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['pending', null],
    ['rejected', 'CAR_UNKNOWN'],
  ]);
});

it('the details show the newest 5 commands', () => {
  const story = new Story();
  story.registered();
  for (let count = 0; count < 6; count++) story.sendAction('dispatch.staff');
  expect(details(story.state, story.now).match(/: applied/g)).toHaveLength(5);
  expect(mostStoredCommands).toBe(64);
});

it('L21: the newest 64 commands are stored, and each that is still open', () => {
  const story = new Story();
  story.registered();
  const send = (count: number) => Array.from({ length: count }, () => story.sendAction('dispatch.staff'));
  const [oldest] = send(1);
  const open = story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  const ids = () => story.state.commands.map(({ commandId }) => commandId);
  const [third, fourth] = send(62);
  expect(ids()).toHaveLength(64);
  expect(ids()[0]).toBe(oldest);
  send(1);
  expect(ids()).toHaveLength(64);
  expect(ids().slice(0, 2)).toEqual([open, third]);
  send(1);
  expect(ids().slice(0, 2)).toEqual([open, fourth]);
});

/** A command refused for this override, and with this text of the platform. */
function refuse(story: Story, reason: string | null, platformMessage?: string): string {
  const answer = { outcome: 'rejected', code: 'NOT_FOUND', message: 'no' } as const;
  const text = platformMessage === undefined ? {} : { platformMessage };
  const parts = reason === null ? {} : { override: { reason } };
  return story.sendAction('dispatch.staff', { ...answer, ...text }, parts);
}

it.each([4_700, 4_701])(
  'L60: the texts of final commands have 4,700 bytes together, the newest first (%i)',
  (bytes) => {
    const story = new Story();
    story.registered();
    const texts = (reason: string, platformMessage?: string) =>
      Buffer.byteLength(JSON.stringify([reason, 'no', platformMessage]));
    const room = bytes - texts('', 'text') - texts('');
    const first = refuse(story, 'x'.repeat(2_000), 'text');
    const waiting = story.accept('dispatch.staff', { override: { reason: 'y'.repeat(3_000) } });
    story.send();
    story.answer(waiting, { outcome: 'unknown', code: 'TIMEOUT' });
    refuse(story, 'z'.repeat(room - 2_000));
    const shown = story.shown(first);
    if (bytes === 4_700)
      expect(shown).toMatchObject({
        message: 'no',
        platformMessage: 'text',
        override: { reason: 'x'.repeat(2_000) },
      });
    else {
      expect(shown).toMatchObject({ outcome: 'rejected', message: null, override: { reason: '…' } });
      expect(shown).not.toHaveProperty('platformMessage');
    }
    expect(story.shown(waiting).override?.reason).toHaveLength(3_000);
  },
);

it('L60: a command that loses its texts and had no override shows none', () => {
  const story = new Story();
  story.registered();
  const first = refuse(story, null);
  const open = story.sendAction(
    'dispatch.staff',
    { outcome: 'unknown', code: 'TIMEOUT' },
    { override: { reason: 'why' } },
  );
  refuse(story, 'x'.repeat(4_700));
  expect(story.shown(first)).toMatchObject({ message: null, override: null });
  expect(story.shown(open)).toMatchObject({ override: { reason: 'why' } });
});

it('F58: the texts of notes that are over have 1,000 bytes together, the newest in full', () => {
  const story = new Story();
  story.registered();
  story.accept('dispatch.staff');
  const [command] = story.state.commands;
  if (command === undefined) throw new Error('no command');
  const stored = (...lengths: number[]) =>
    lengths.reduce(
      (state, letters, index) =>
        storeNote(
          state,
          { ...command, commandId: `c-${index}`, carId: null, body: { note: `${index}`.repeat(letters) } },
          origin,
        ),
      story.state,
    ).notes;
  const lengths = (...some: number[]) => stored(...some)?.map(({ text }) => text?.length ?? null);
  // a text has two quotation marks
  expect(lengths(498, 498)).toEqual([498, 498]);
  expect(lengths(499, 498)).toEqual([null, 498]);
  expect(lengths(10, 2_000)).toEqual([null, 2_000]);
});
