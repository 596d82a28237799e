import { stamp } from '../shared/time.js';
import { bytesOf, withinBudget } from './bounds.js';
import type { Decision, ReservationState } from './state.js';
import type { DecisionView } from './types.js';

const mostDecisions = 16;
/** Bytes of their reasons together. */
const mostReasonBytes = 2_000;

/** Stores the reason of a decision; the timeline never has it (L60). */
export function storeDecision(state: ReservationState, decision: Decision): ReservationState {
  const newest = [...state.decisions, decision].slice(-mostDecisions);
  const decisions = withinBudget(
    newest,
    mostReasonBytes,
    ({ reason }) => bytesOf(reason),
    (old) => ({ ...old, reason: '…' }),
  );
  return { ...state, decisions };
}

/** For managers and staff; the API shows viewers no reason. */
export function decisionViews({ decisions, policy }: ReservationState): DecisionView[] {
  return decisions.map((one) => ({ ...one, at: stamp(one.at, policy.zoneOffsetMinutes) }));
}
