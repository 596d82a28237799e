import fc from 'fast-check';
import { expect, it } from 'vitest';
import { delivered, emit, legalHistory } from '../../support/legal-histories.js';
import { inOrder, outcome, permutations } from '../../support/orders.js';

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
    ['status', 1],
  ],
  'a cancellation under way': [
    ['status', 1],
    ['memo', 3],
    ['status', 9],
  ],
  'a no-show': [
    ['extend', 0],
    ['status', 6],
    ['memo', 4],
  ],
};

it.each(Object.entries(histories))(
  'every order of up to seven deliveries, one of them twice: %s',
  { timeout: 300_000 },
  (name, moves) => {
    const events = emit(moves).slice(0, 6);
    let orders = 0;
    for (const again of events.slice(0, 2)) {
      const twice = [...events, { ...again, eventId: `${again.eventId}-again`, inboxId: -again.inboxId }];
      const expected = outcome(inOrder(twice));
      for (const order of permutations(twice)) expect(outcome(order)).toBe(expected);
      orders += permutations(twice).length;
    }
    console.log(`${name}: ${orders} orders`);
  },
);

it('100,000 sampled deliveries', { timeout: 900_000 }, () => {
  const deliveries = legalHistory.chain((history) => delivered(history));
  const sampled = fc.check(
    fc.property(deliveries, (events) => outcome(events) === outcome(inOrder(events))),
    { numRuns: 100_000 },
  );
  expect(sampled.counterexample).toBeNull();
  console.log(`${sampled.numRuns} sampled deliveries`);
});
