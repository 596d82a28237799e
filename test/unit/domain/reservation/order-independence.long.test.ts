import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { delivered, emit, legalHistory } from '../../../support/legal-histories.js';
import { inOrder, outcome, permutations } from '../../../support/orders.js';

type Moves = Parameters<typeof emit>[0];
const histories: Record<string, Moves> = {
  'dispatch and use': [
    ['status', 1],
    ['status', 1],
    ['status', 1],
  ],
  'a car changed and changed back': [
    ['car', 1],
    ['car', 0],
    ['status', 1],
  ],
  'a car changed between two statuses': [
    ['status', 1],
    ['car', 2],
    ['status', 1],
  ],
  'an extension, a removed companion, a start': [
    ['extend', 0],
    ['companion', 0],
    ['driver', 2],
    ['status', 1],
  ],
  'a cancellation under way': [
    ['status', 1],
    ['memo', 3],
    ['status', 3],
  ],
  'a no-show': [
    ['status', 1],
    ['extend', 0],
    ['status', 6],
  ],
};
const sampled = 100_000;
let enumerated = 0;

it.each(Object.entries(histories))(
  'every order of seven deliveries, one of them a duplicate: %s',
  { timeout: 900_000 },
  (name, moves) => {
    const events = emit(moves).slice(0, 6);
    let orders = 0;
    for (const one of events.slice(0, 2)) {
      const repeated = { ...one, eventId: `${one.eventId}-again`, inboxId: -one.inboxId };
      // the same event once more, and its content under another id
      for (const again of [one, repeated]) {
        const expected = outcome(inOrder([...events, again]));
        for (const order of permutations([...events, again])) {
          expect(outcome(order)).toBe(expected);
          orders += 1;
        }
      }
    }
    enumerated += orders;
    console.log(`${name}: ${orders} orders`);
  },
);

it('sampled deliveries of any legal history: some events, some of them twice, in any order', {
  timeout: 1_800_000,
}, () => {
  const deliveries = legalHistory.chain((history) => delivered(history));
  const check = fc.check(
    fc.property(deliveries, (events) => outcome(events) === outcome(inOrder(events))),
    { numRuns: sampled },
  );
  expect(check.counterexample).toBeNull();
  console.log(`${check.numRuns} sampled deliveries`);
});

afterAll(() => {
  const page = readFileSync('docs/lifecycle.md', 'utf8');
  const written = (count: number) => count.toLocaleString('en');
  expect(page).toContain(`${written(enumerated)} orders enumerated, ${written(sampled)} deliveries sampled`);
});
