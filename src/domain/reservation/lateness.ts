import type { Instant } from '../shared/time.js';
import { type Belief, isOut } from './belief.js';
import type { ReservationState } from './state.js';
import { firstReportedAt, reachedAt } from './status-evidence.js';

/** One step of the ladder: from `at` on, as long as the state stays as it is. */
export interface LateStep {
  key: string;
  at: Instant;
}

/** L43, L44: the end has passed and the customer has the car; raised again at every step of the ladder. */
export function lateSteps(state: ReservationState, what: Belief): LateStep[] {
  if (!isOut(what)) return [];
  const end = what.facts.period?.value.end;
  if (end === undefined) return lateWithoutEnd(state);
  return [0, ...state.policy.lateLadderMs].map((lateMs) => ({
    key: `${end}+${lateMs}`,
    at: lateMs === 0 && isReportedLate(state, end) ? Math.min(end, state.lookedAt) : end + lateMs,
  }));
}

/** A 25 reports that the end has passed, also where the end is not known. */
function lateWithoutEnd(state: ReservationState): LateStep[] {
  const since = firstReportedAt(state, 25);
  return since === null ? [] : [{ key: '25', at: since }];
}

/** L44: a 25 reported at a moment not before the current end. */
function isReportedLate(state: ReservationState, end: Instant): boolean {
  const reported = reachedAt(state, 25);
  return reported !== null && reported >= end;
}
