import type { ManagerDecision, ManagerDecisions } from '../../src/contract/reservation.js';
import * as lifecycle from '../../src/domain/reservation/index.js';

type Decisions = {
  [S in ManagerDecision]: {
    /** Why it cannot be settled so; null where it can. */
    check(state: lifecycle.ReservationState, input: ManagerDecisions[S]): lifecycle.Refusal | null;
    apply(state: lifecycle.ReservationState, input: ManagerDecisions[S], now: number): lifecycle.Step;
  };
};

/** What a manager may settle, and which decision of the lifecycle takes it. */
export const managerDecisions: Readonly<Decisions> = {
  resolveCommand: { check: lifecycle.checkResolve, apply: lifecycle.resolveCommand },
  resolveAttention: {
    check: (state, { kind }) => lifecycle.checkResolveAttention(state, kind),
    apply: lifecycle.resolveAttention,
  },
  assertFacts: { check: lifecycle.checkAssert, apply: lifecycle.assertFacts },
};
