import { type Belief, isSameBelief } from './belief.js';
import type { ReservationState } from './state.js';
import { canBothBeTrue, isKnownStatus, isTerminal, rank } from './statuses.js';
import type { ReservationEvent, Verdict } from './types.js';

export interface Judgement {
  verdict: Verdict;
  /** The rule that decided. */
  rule: string;
}

/** The one verdict of an event whose content was not seen before, from what was believed before and after it. */
export function judge(
  state: ReservationState,
  event: ReservationEvent,
  before: Belief,
  after: Belief,
): Judgement {
  const { status } = event;
  const changed = !isSameBelief(before, after);
  if (status !== undefined && !isKnownStatus(status)) return { verdict: 'unknown-status', rule: 'L11' };
  if (before.status.terminal) return judgeAfterTerminal(state, event, before, after, changed);
  if (status !== undefined && !fits(state, status)) {
    return { verdict: 'conflict', rule: isTerminal(status) ? 'L08' : 'L10' };
  }
  if (isOlder(status, before)) return { verdict: 'stale', rule: 'L03' };
  if (!changed) return { verdict: 'duplicate', rule: 'L02' };
  if (status === undefined && sameCar(before, after)) return { verdict: 'stale', rule: 'L13' };
  return { verdict: 'applied', rule: ruleOfChange(event, before, after) };
}

function judgeAfterTerminal(
  state: ReservationState,
  event: ReservationEvent,
  before: Belief,
  after: Belief,
  changed: boolean,
): Judgement {
  const { status } = event;
  if (status === undefined || status === before.status.code) {
    if (!changed) return { verdict: 'duplicate', rule: 'L02' };
    if (status === undefined)
      return { verdict: sameCar(before, after) ? 'stale' : 'after-terminal', rule: 'L08' };
    return { verdict: 'applied', rule: ruleOfChange(event, before, after) };
  }
  if (isTerminal(status)) {
    return { verdict: fits(state, status) ? 'after-terminal' : 'conflict', rule: 'L09' };
  }
  return { verdict: fits(state, status) ? 'stale' : 'after-terminal', rule: 'L08' };
}

/** Whether one legal history can contain this status and all that were reported. */
function fits(state: ReservationState, status: number): boolean {
  return state.statuses.every((one) => canBothBeTrue(state.policy.fromStates, one.code, status));
}

function isOlder(status: number | undefined, { status: { code } }: Belief): boolean {
  return status !== undefined && code !== null && rank(status) < rank(code);
}

function sameCar(before: Belief, after: Belief): boolean {
  return before.facts.car !== null && before.facts.car.value.id === after.facts.car?.value.id;
}

function ruleOfChange(event: ReservationEvent, before: Belief, after: Belief): string {
  const { status } = event;
  if (event.channel === 'registration') return status === 5 ? 'L07' : 'L06';
  if (before.status.code === null) return 'L05';
  if (status !== undefined && status !== before.status.code) return skips(before, after) ? 'L04' : 'L03';
  if (before.status.grade !== after.status.grade) return 'L22';
  if (!sameCar(before, after)) return 'L14';
  return event.period === undefined ? 'L16' : 'L12';
}

/** L04: a status below the new one is only implied by it. */
function skips(before: Belief, after: Belief): boolean {
  const { reached } = after.status;
  return Object.keys(reached).some(
    (code) => reached[code] === 'inferred' && !(code in before.status.reached),
  );
}
