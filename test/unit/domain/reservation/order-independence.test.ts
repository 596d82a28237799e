import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newReservation, observe } from '../../../../src/domain/reservation/index.js';
import { compared } from '../../../support/compared.js';
import { delivered, emit, legalHistory } from '../../../support/legal-histories.js';
import { inOrder, later, outcome, permutations } from '../../../support/orders.js';
import { deepFreeze, origin, policy } from '../../../support/reservation-story.js';

it('any order and duplication of possible callbacks ends in the same view, or in marked facts', {
  timeout: 30_000,
}, () => {
  const deliveries = legalHistory.chain((history) => delivered(history));
  fc.assert(
    fc.property(deliveries, (events) => {
      expect(outcome(events)).toBe(outcome(inOrder(events)));
    }),
    { numRuns: 300 },
  );
});

it.each([
  [
    'a handover with a late return',
    [
      ['status', 0],
      ['status', 0],
      ['status', 1],
    ],
  ],
  [
    'a car changed twice, back to the first',
    [
      ['car', 1],
      ['car', 0],
    ],
  ],
  [
    'an extension and a cancellation',
    [
      ['extend', 0],
      ['status', 3],
      ['status', 3],
    ],
  ],
] as [string, Parameters<typeof emit>[0]][])(
  'every order of all events: %s',
  { timeout: 30_000 },
  (_name, moves) => {
    const events = emit(moves).slice(0, 6);
    const expected = outcome(events);
    for (const order of permutations(events)) expect(outcome(order)).toBe(expected);
  },
);

it('every event ends with exactly one verdict, and only duplicates leave the state unchanged', {
  timeout: 30_000,
}, () => {
  fc.assert(
    fc.property(
      legalHistory.chain((history) => delivered(history)),
      (events) => {
        let state = deepFreeze(newReservation(1, policy, origin));
        for (const event of events) {
          const before = JSON.stringify(compared(state, later));
          const step = observe(state, deepFreeze(event), later);
          state = deepFreeze(step.state);
          expect(step.verdict.inboxId).toBe(event.inboxId);
          expect(['applied', 'duplicate', 'stale', 'after-terminal']).toContain(step.verdict.verdict);
          if (step.verdict.verdict === 'duplicate')
            expect(JSON.stringify(compared(state, later))).toBe(before);
        }
      },
    ),
    { numRuns: 100 },
  );
});
