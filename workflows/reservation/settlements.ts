import type { Settlement, Settlements } from '../../src/contract/reservation.js';
import * as lifecycle from '../../src/domain/reservation/index.js';

type Decisions = {
  [S in Settlement]: {
    /** Why it cannot be settled so; null where it can. */
    check(state: lifecycle.ReservationState, input: Settlements[S]): lifecycle.Refusal | null;
    apply(state: lifecycle.ReservationState, input: Settlements[S], now: number): lifecycle.Step;
  };
};

/** What a manager may settle, and which decision of the lifecycle takes it. */
export const settlements: Readonly<Decisions> = {
  resolveCommand: { check: lifecycle.checkResolve, apply: lifecycle.resolveCommand },
  resolveAttention: {
    check: (state, { kind }) => lifecycle.checkResolveAttention(state, kind),
    apply: lifecycle.resolveAttention,
  },
  assertFacts: { check: lifecycle.checkAssert, apply: lifecycle.assertFacts },
};
