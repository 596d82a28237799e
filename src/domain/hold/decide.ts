import { hour, type Instant, minute } from '../shared/time.js';
import { applyChangedEntry, applyDeletedEntry, applyEntryAnswer } from './entry/changing.js';
import { entryStep, placeBy, wasPlaced } from './entry/next-step.js';
import { applyAddedEntry, applyCarAnswer, applyScheduleAnswer, refuseHold } from './entry/placing.js';
import { applyWrittenMemo, memoStep } from './memo.js';
import { message } from './messages/message.js';
import { concludeCommand, withAuditEntry, withoutTrouble } from './record.js';
import { applyProductList, applySaleAnswer, applySeenProducts, applyTurn, saleStep } from './sale.js';
import type { Asking, Doing, HoldEnd, HoldState, HoldStep, StepAnswers } from './types.js';

/** The longest timer: a hold far in the future is checked once a day. */
const longestWaitMs = 24 * hour;

/**
 * What a hold does next, once everything that time alone changes is applied: its start, its end, the end of an attempt
 * to place it. @param now an instant
 */
export function decideHold(given: HoldState, now: Instant): { state: HoldState; step: HoldStep } {
  const state = applyTime(given, now);
  if (state.end !== null) return { state, step: { do: 'end' } };
  const wanted = state.leaving === null ? stepsToHold(state, now) : stepsToLeave(state, now);
  const open = wanted.filter((step) => step !== null);
  const ready = open.find(({ do: what }) => what !== 'wait');
  if (ready !== undefined) return { state, step: ready };
  if (open.length === 0 && state.leaving !== null) {
    return { state: finishHold(state, state.leaving.end, now), step: { do: 'end' } };
  }
  const waits = open.flatMap((step) => (step.do === 'wait' ? [step.until] : []));
  const until = Math.min(...waits, nextMoment(state, now), now + longestWaitMs);
  return { state, step: { do: 'wait', until } };
}

/** The entry first, for it alone keeps the car out of the period; the rest only once it stands. */
function stepsToHold(state: HoldState, now: Instant): (HoldStep | null)[] {
  const entry = entryStep(state, now);
  if (!wasPlaced(state.entry)) return [entry];
  const sale = state.sale.begun && state.request.withdrawFromSale ? saleStep(state, now) : null;
  return [entry, sale, memoStep(state, now)];
}

/** What was done last is undone first. */
function stepsToLeave(state: HoldState, now: Instant): (HoldStep | null)[] {
  return [saleStep(state, now), entryStep(state, now)];
}

function applyTime(state: HoldState, now: Instant): HoldState {
  if (state.leaving !== null) return state;
  const { entry, period, sale, change } = state;
  if (!wasPlaced(entry)) {
    if (now < placeBy(state)) return state;
    const late = { code: 'TIMEOUT', message: message('hold.not-placed', {}) };
    const { code, message: why } = state.troubles.entry ?? late;
    return refuseHold(state, { code, message: why }, now);
  }
  // a change that is out decides where the end is, and the start
  if (now >= period.end && change === null && entry.kind !== 'changing') {
    return withoutOptionalTroubles({ ...state, leaving: { end: 'ended', at: now } });
  }
  const start = Math.max(period.start, change?.period.start ?? period.start);
  if (now >= start && !sale.begun) {
    const wasPlannedAhead = period.start > state.createdAt + minute;
    return { ...state, checked: !wasPlannedAhead, sale: { ...sale, begun: true, scan: 'due' } };
  }
  return state;
}

/** What the hold never did is no trouble of its end. */
function withoutOptionalTroubles(state: HoldState): HoldState {
  return withoutTrouble(withoutTrouble(state, 'memo'), 'products');
}

/** What comes next by time alone; what has passed is waited for no more. */
function nextMoment(state: HoldState, now: Instant): Instant {
  const { period, sale, entry, change, leaving } = state;
  if (leaving !== null) return Number.POSITIVE_INFINITY;
  const start = sale.begun ? [] : [period.start, change?.period.start ?? period.start];
  const given = wasPlaced(entry) ? [] : [placeBy(state)];
  return Math.min(...[...start, period.end, ...given].filter((at) => at > now));
}

/** Nothing is left to do. */
export function finishHold(state: HoldState, end: HoldEnd, now: Instant): HoldState {
  const { request } = state;
  const ended: HoldState = { ...state, end, endedAt: now, troubles: {} };
  if (end === 'ended') {
    const subject = `hold/${request.holdId}`;
    const data = { carId: request.carId, ...leftOf(state) };
    const entry = { at: now, by: request.by, action: 'hold.end' as const, subject, reason: null, data };
    return concludeOpenCommands(withAuditEntry(ended, entry), now);
  }
  return concludeOpenCommands(ended, now);
}

/** Requests that were still open. */
function concludeOpenCommands(ended: HoldState, now: Instant): HoldState {
  return ended.commands.reduce((known, { commandId, action }) => {
    const isEnding = action === 'release' || action === 'resolve';
    const facts = isEnding
      ? ({ outcome: 'applied', at: now, data: leftOf(ended) } as const)
      : ({ outcome: 'rejected', at: now, data: {}, refused: releasedBefore } as const);
    return concludeCommand(known, commandId, facts);
  }, ended);
}

const releasedBefore = { code: 'HOLD_OVER', message: message('hold.released-before', {}) } as const;

export function leftOf({ sale }: HoldState): Record<string, number> {
  const count = (kinds: string[]) => sale.products.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    restored: count(['restored']),
    leftAlone: count(['changed', 'left', 'was-off', 'untouched']),
    leftInPlace: count(['ours', 'restoring', 'setting']),
  };
}

type ApplyAnswer = {
  [A in Asking]: (state: HoldState, step: Doing<A>, answer: StepAnswers[A], now: Instant) => HoldState;
};
const applyAnswer: Readonly<ApplyAnswer> = {
  'read-car': (state, _step, answer, now) => applyCarAnswer(state, answer, now),
  'add-entry': applyAddedEntry,
  'read-schedules': (state, _step, answer, now) => applyScheduleAnswer(state, answer, now),
  'change-entry': applyChangedEntry,
  'delete-entry': (state, _step, answer, now) => applyDeletedEntry(state, answer, now),
  'look-at-entry': (state, _step, answer, now) => applyEntryAnswer(state, answer, now),
  'write-memo': (state, _step, answer, now) => applyWrittenMemo(state, answer, now),
  'ask-turn': (state, _step, answer, now) => applyTurn(state, answer, now),
  'list-products': (state, _step, answer, now) => applyProductList(state, answer, now),
  'look-in-products': (state, _step, answer, now) => applySeenProducts(state, answer, now),
  'set-sale': applySaleAnswer,
};

/** The state once a step has its answer. */
export function applyStepAnswer<A extends Asking>(
  state: HoldState,
  stepName: A,
  step: Doing<A>,
  answer: StepAnswers[A],
  now: Instant,
): HoldState {
  return applyAnswer[stepName](state, step, answer, now);
}
