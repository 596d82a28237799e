import { expect, it } from 'vitest';
import { listRow, type TimelineEntry } from '../../src/domain/reservation/index.js';
import { Rows } from '../../workflows/reservation/rows.js';
import { registered } from '../support/reservation-story.js';

const row = () => listRow(registered().state);
const rows = () =>
  new Rows(
    8421,
    { verdicts: [], entries: [] },
    { row, onPosts: () => undefined, retried: () => undefined, writeLater: () => undefined },
  );
const entriesOf = (count: number, text: string): TimelineEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    at: index,
    kind: 'event' as const,
    rule: 'L01',
    text,
    data: {},
  }));

it('1,000 rows of a reservation may wait for the database, verdicts and entries together', () => {
  const waiting = rows();
  waiting.addEntries(entriesOf(998, 'x'));
  waiting.addVerdict({ inboxId: 1, verdict: 'applied', rule: 'L01' });
  expect([waiting.waiting, waiting.isFull]).toEqual([999, false]);
  waiting.addVerdict({ inboxId: 2, verdict: 'applied', rule: 'L01' });
  expect(waiting.isFull).toBe(true);
});

it('a few large rows are bounded by their size', () => {
  const waiting = rows();
  waiting.addEntries(entriesOf(99, 'x'.repeat(4_000)));
  expect(waiting.isFull).toBe(false);
  waiting.addEntries(entriesOf(40, 'x'.repeat(4_000)));
  expect(waiting.isFull).toBe(true);
});
