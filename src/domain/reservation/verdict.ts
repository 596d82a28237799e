import { ambiguousFacts, type Belief, isSame, isSameBelief } from './belief.js';
import type { ReservationState } from './state.js';
import { isOverruled } from './status-evidence.js';
import { canBothBeTrue, isKnownStatus, isTerminal, rank } from './statuses.js';
import type { Judged, ReservationEvent } from './types.js';

export interface Judgement {
  verdict: Judged;
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
  if (isOverruled(state, event)) return { verdict: changed ? 'stale' : 'duplicate', rule: 'L10' };
  if (before.status.terminal) return judgeAfterTerminal(state, event, before, after, changed);
  if (status !== undefined && !fits(state, status)) {
    return { verdict: 'conflict', rule: isTerminal(status) ? 'L08' : 'L10' };
  }
  if (isOlder(status, before)) return { verdict: 'stale', rule: 'L03' };
  if (!changed) return { verdict: 'duplicate', rule: 'L02' };
  if (status === undefined && sameCar(before, after)) return { verdict: 'stale', rule: 'L13' };
  return { verdict: 'applied', rule: ruleOfChange(state, event, before, after) };
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
    return { verdict: 'applied', rule: ruleOfChange(state, event, before, after) };
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

/** The rule behind a change by an event; L18 where it only reports the next step and nothing contradicts it. */
function ruleOfChange(
  state: ReservationState,
  event: ReservationEvent,
  before: Belief,
  after: Belief,
): string {
  const { status } = event;
  if (event.channel === 'registration') return status !== 5 ? 'L06' : state.arrivals === 0 ? 'L18' : 'L07';
  if (before.status.code === null) return 'L05';
  if (status !== undefined && status !== before.status.code) return skips(before, after) ? 'L04' : 'L18';
  return ruleOfFact(before, after) ?? (before.status.grade === after.status.grade ? 'L18' : 'L22');
}

/** The rule of the gravest fact that changed at the same status; null where none has a rule of its own. */
function ruleOfFact(before: Belief, after: Belief): string | null {
  const { period, companion } = before.facts;
  if (period !== null && !isSame(period.value, after.facts.period?.value)) return 'L12';
  if (before.facts.car !== null && !sameCar(before, after)) return 'L14';
  if (companion !== null && !isSame(companion.value, after.facts.companion?.value)) return 'L15';
  const moves = staysOnceKnown.some((name) => !isSame(before.facts[name]?.value, after.facts[name]?.value));
  if (moves) return 'L16';
  return isSame(ambiguousFacts(before), ambiguousFacts(after)) ? null : 'L13';
}
const staysOnceKnown = [
  'parkingMemo',
  'parkingImageUrl',
  'parkingLotType',
  'drivingStart',
  'drivingEnd',
] as const;

/** L04: a status below the new one is only implied by it. */
function skips(before: Belief, after: Belief): boolean {
  const { reached } = after.status;
  return Object.keys(reached).some(
    (code) => reached[code] === 'inferred' && !(code in before.status.reached),
  );
}
