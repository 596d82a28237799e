import type { ManagerDecision, ManagerDecisions } from '../../src/contract/reservation.js';
import * as lifecycle from '../../src/domain/reservation/index.js';

type Decisions = {
  [S in ManagerDecision]: {
    /** Why the decision is refused; null where it is allowed. */
    check(state: lifecycle.ReservationState, input: ManagerDecisions[S]): lifecycle.Refusal | null;
    apply(state: lifecycle.ReservationState, input: ManagerDecisions[S], now: number): lifecycle.Step;
  };
};

/** What a manager may decide, and the functions of the lifecycle that check and apply it. */
export const managerDecisions: Readonly<Decisions> = {
  resolveCommand: { check: lifecycle.checkResolve, apply: lifecycle.resolveCommand },
  resolveAttention: {
    check: (state, { kind }) => lifecycle.checkResolveAttention(state, kind),
    apply: lifecycle.resolveAttention,
  },
  assertFacts: { check: lifecycle.checkAssert, apply: lifecycle.assertFacts },
};
