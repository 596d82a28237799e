import { day, type Instant, stamp } from '../shared/time.js';
import { openAttention, sinceOf } from './attention.js';
import type { Belief } from './belief.js';
import { nextAtRisk } from './next-at-risk.js';
import type { ReservationState } from './state.js';
import type { HoldProposal } from './types.js';

/** Of a run whose policy says nothing of holds yet. */
const usualMs = day;
const reasonOf: Readonly<Record<string, HoldProposal['reason']>> = {
  'retrieve-car': 'retrieve-car',
  'return-late': 'overdue-return',
};

/**
 * Holds that would keep the car from being rented out before it is back (F55, F56): one for the task to fetch it (L28),
 * one for an overdue return (L43), each while its attention item is open. Only a supplier can hold a car.
 */
export function holdProposals(state: ReservationState, what: Belief): HoldProposal[] {
  const carId = what.facts.car?.value.id;
  const next = comingNext(state, what);
  const { roles, holdProposalMs = usualMs, zoneOffsetMinutes } = state.policy;
  if (carId === undefined || !roles.includes('supplier')) return [];
  return openAttention(state).flatMap((item) => {
    const reason = reasonOf[item.kind];
    if (reason === undefined) return [];
    const start = sinceOf(item);
    return {
      proposalId: `${reason}-${state.reservationId}`,
      carId,
      startAt: stamp(start, zoneOffsetMinutes),
      endAt: stamp(Math.min(start + holdProposalMs, next ?? Number.POSITIVE_INFINITY), zoneOffsetMinutes),
      ...(next !== null && { noLaterThan: stamp(next, zoneOffsetMinutes) }),
      reason,
    };
  });
}

/** The platform refuses a hold that runs into the next entry; one that has begun is reported by its refusal. */
function comingNext(state: ReservationState, what: Belief): Instant | null {
  const start = nextAtRisk(state, what)?.next.start ?? null;
  return start !== null && start > state.lookedAt ? start : null;
}
