import { expect, it } from 'vitest';
import { EntryNumbers, identityOf } from '../../../../src/domain/reservation/entry-identity.js';
import type { TimelineEntry } from '../../../../src/domain/reservation/types.js';

const entry: TimelineEntry = {
  seq: 1,
  at: 5_000,
  kind: 'timer',
  rule: 'L43',
  text: 'The return is late.',
  data: { kind: 'return-late', since: 4_000 },
  attention: { kind: 'return-late', change: 'raised', since: 4_000, alert: 'reservation 7: late' },
};
const callback: TimelineEntry = {
  seq: 1,
  at: 5_000,
  kind: 'event',
  rule: 'L02',
  text: 'applied',
  data: { inboxId: 17, verdict: 'applied' },
};

it('the identity of an entry does not depend on its number', () => {
  const other: TimelineEntry = { ...entry, seq: 9 };
  expect(identityOf(other)).toBe(identityOf(entry));
});

it.each<[string, Partial<TimelineEntry>]>([
  ['instant', { at: 5_001 }],
  ['kind', { kind: 'decision' }],
  ['rule', { rule: 'L44' }],
  ['text', { text: 'another' }],
  ['data', { data: { kind: 'return-late', since: 4_001 } }],
  ['alert', { attention: { kind: 'return-late', change: 'raised', since: 4_000, alert: 'another' } }],
  [
    'change',
    { attention: { kind: 'return-late', change: 'cleared', since: 4_000, alert: 'reservation 7: late' } },
  ],
  ['number among equals', { nth: 2 }],
])('another %s is another entry', (_, change) => {
  expect(identityOf({ ...entry, ...change })).not.toBe(identityOf(entry));
});

it('the identity of an entry never changes: databases and receivers of alerts store it', () => {
  expect([identityOf(entry), identityOf(callback)]).toMatchInlineSnapshot(`
    [
      "nfbgumysbs",
      "8vg0c4t985",
    ]
  `);
});

it('a callback that is applied again later is the same entry; a replayed one is another', () => {
  expect(identityOf({ ...callback, at: 9_000 })).toBe(identityOf(callback));
  expect(identityOf({ ...callback, data: { ...callback.data, replay: 1 } })).not.toBe(identityOf(callback));
});

it('the end of a command is one entry, whenever it is known; each wait for its next attempt is one entry', () => {
  const command = (at: number, outcome: string): TimelineEntry => ({
    ...callback,
    kind: 'command',
    at,
    data: { commandId: 'c-1', outcome },
  });
  for (const outcome of ['applied', 'rejected']) {
    expect(identityOf(command(5_000, outcome))).toBe(identityOf(command(9_000, outcome)));
  }
  for (const outcome of ['queued', 'unknown']) {
    expect(identityOf(command(5_000, outcome))).not.toBe(identityOf(command(9_000, outcome)));
  }
});

it('what can happen again has its instant in its identity', () => {
  const outcome = 'applied';
  const data: TimelineEntry['data'][] = [{}, { outcome }, { commandId: 7, outcome }, { inboxId: '17' }];
  for (const again of [
    { ...callback, attention: entry.attention },
    ...data.map((one) => ({ ...callback, data: one })),
  ])
    expect(identityOf({ ...again, at: 9_000 } as TimelineEntry)).not.toBe(identityOf(again as TimelineEntry));
});

it('the first of its content is the same entry with and without its number', () => {
  expect(identityOf({ ...entry, nth: 1 })).toBe(identityOf(entry));
});

it('equal entries of one instant are numbered, from the start for each instant', () => {
  const numbers = new EntryNumbers();
  const given = [entry, { ...entry, seq: 2 }, callback, { ...entry, seq: 3 }].map((one) =>
    numbers.number(one),
  );
  expect(given.map(({ nth }) => nth)).toEqual([undefined, 2, undefined, 3]);
  expect(numbers.number({ ...entry, at: 6_000 }).nth).toBeUndefined();
  expect(numbers.number({ ...callback, at: 7_000 }).nth).toBeUndefined();
});

it('the identity of each of many equal entries at one instant is made once', () => {
  let made = 0;
  const numbers = new EntryNumbers();
  const given = Array.from({ length: 500 }, (_, index) => ({
    ...callback,
    get data() {
      made += 1;
      return { inboxId: index % 250 };
    },
  })).map((one) => numbers.number(one));
  // an identity reads the data twice, a copy once
  expect(made).toBeLessThanOrEqual(3 * given.length);
  expect(given.map(({ nth }) => nth)).toEqual([...Array(250).fill(undefined), ...Array(250).fill(2)]);
});
