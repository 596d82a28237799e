import type { Sentence } from '../../shared/message.js';
import { type Rejected, waitsFor } from '../../shared/outcome.js';
import type { Instant, Period } from '../../shared/time.js';
import { message } from '../messages/message.js';
import { concludeCommand, secondReadMs, withoutTrouble, withTrouble } from '../record.js';
import type { Doing, Entry, HoldRefused, HoldState, StepAnswers } from '../types.js';
import { e011, type SchedulesAnswer } from './conflict.js';
import {
  formatPeriod,
  isSamePeriod,
  planReads,
  platformTextOf,
  recordLostAnswer,
  toReadFailure,
} from './outcomes.js';

export function applyChangedEntry(
  state: HoldState,
  { period, reason }: Doing<'change-entry'>,
  answer: StepAnswers['change-entry'],
  now: Instant,
): HoldState {
  const { entry } = state;
  if (entry.kind !== 'placed') return state;
  switch (answer.outcome) {
    case 'applied':
      return recordChange(state, { scheduleId: entry.scheduleId, period, reason }, now);
    case 'unknown':
      return recordLostAnswer(
        state,
        { ...entry, kind: 'changing', to: { period, reason }, ...planReads(answer.code, now) },
        answer,
        now,
      );
    case 'rejected':
      return applyFailedChange(state, answer, now);
  }
}

function recordChange(
  state: HoldState,
  known: { scheduleId: number; period: Period; reason: string },
  now: Instant,
): HoldState {
  const entry: Entry = { kind: 'placed', ...known };
  const { change } = state;
  const clear = withoutTrouble({ ...state, entry }, 'entry');
  if (change === null) return clear;
  const changed: HoldState = {
    ...clear,
    change: null,
    period: known.period,
    reason: change.reason,
    // F05: products that came to hold the car since
    sale: { ...state.sale, scan: 'due' },
  };
  return concludeCommand(changed, change.commandId, {
    outcome: 'applied',
    at: now,
    data: { before: formatPeriod(state.period), after: formatPeriod(known.period) },
  });
}

export function applyDeletedEntry(
  state: HoldState,
  answer: StepAnswers['delete-entry'],
  now: Instant,
): HoldState {
  const { entry } = state;
  if (entry.kind !== 'placed') return state;
  const { scheduleId } = entry;
  if (answer.outcome === 'applied')
    return withoutTrouble({ ...state, entry: { kind: 'gone', scheduleId } }, 'entry');
  if (answer.outcome === 'unknown')
    return recordLostAnswer(
      state,
      { ...entry, kind: 'deleting', ...planReads(answer.code, now) },
      answer,
      now,
    );
  return applyFailedChange(state, answer, now);
}

function applyFailedChange(state: HoldState, refused: Rejected, now: Instant): HoldState {
  const { code } = refused;
  const why = explainRefusal(refused);
  if (code === 'NOT_FOUND') return recordEntryGone(state, now);
  if (state.leaving !== null || waitsFor(code) === 'handover')
    return withTrouble(state, 'entry', { code, message: why }, now);
  if (code === 'E011' && state.change !== null)
    return { ...state, change: { ...state.change, blocked: true } };
  return refuseChange(state, { code, message: why, ...platformTextOf(refused) }, now);
}

function refuseChange(state: HoldState, refused: HoldRefused, now: Instant): HoldState {
  const { change } = state;
  if (change === null) return state;
  return concludeCommand(withoutTrouble({ ...state, change: null }, 'entry'), change.commandId, {
    outcome: 'rejected',
    refused,
    at: now,
    data: { before: formatPeriod(state.period), after: formatPeriod(change.period) },
  });
}

/** F09: we may not edit or delete a reservation's entry (type R). */
function explainRefusal({ code, message: why }: Rejected): Sentence {
  return code === 'ILLEGAL_STATE' ? message('hold.is-reservation', {}) : why;
}

/** It was deleted on the web site: nothing is left to undo, and nothing blocks the car for the period. */
function recordEntryGone(state: HoldState, now: Instant): HoldState {
  const { entry } = state;
  if (!('scheduleId' in entry)) return state;
  const gone = withoutTrouble(
    { ...state, checked: true, entry: { kind: 'gone', scheduleId: entry.scheduleId } },
    'entry',
  );
  if (state.leaving !== null) return gone;
  const refused = { code: 'NOT_FOUND', message: message('hold.entry-gone', {}) };
  const trouble = { ...refused, forPeople: true };
  return withTrouble(refuseChange(gone, refused, now), 'entry', trouble, now);
}

export function refuseObstructedChange(state: HoldState, answer: SchedulesAnswer, now: Instant): HoldState {
  const { change, entry } = state;
  if (change === null || entry.kind !== 'placed') return state;
  return refuseChange(state, e011(answer, change.period, now, entry.scheduleId), now);
}

/** F07: what became of a lost PUT or DELETE, by GET /schedule/{id}; read twice before it is sent again. */
export function applyEntryAnswer(
  state: HoldState,
  answer: StepAnswers['look-at-entry'],
  now: Instant,
): HoldState {
  const { entry } = state;
  if (entry.kind !== 'changing' && entry.kind !== 'deleting' && entry.kind !== 'placed') return state;
  if (answer.outcome !== 'applied') {
    if (answer.outcome === 'rejected' && answer.code === 'NOT_FOUND') return recordEntryGone(state, now);
    return withTrouble(state, 'entry', toReadFailure(answer), now);
  }
  const { scheduleId } = entry;
  // a reason that cannot be read changes nothing: only where it alone was to change does nothing show that it did
  const seen = { scheduleId, period: answer.value.period, reason: answer.value.reason ?? entry.reason };
  if (entry.kind === 'placed') return checkAtStart(state, entry, seen, now);
  if (entry.kind === 'changing' && isAsWanted(answer.value, entry)) {
    return recordChange(state, { scheduleId, period: seen.period, reason: entry.to.reason }, now);
  }
  const looks = entry.looks + 1;
  if (looks < 2) return { ...state, entry: { ...entry, looks, lookAt: now + secondReadMs } };
  return { ...state, entry: { kind: 'placed', ...seen } };
}

/** Whether the entry reads as it was to become. */
function isAsWanted(
  { period, reason }: { period: Period; reason: string | null },
  { to, period: before }: Entry & { kind: 'changing' },
): boolean {
  if (!isSamePeriod(period, to.period)) return false;
  return reason === null ? !isSamePeriod(before, to.period) : reason === to.reason;
}

/** F19: at the start the entry is there as it was placed; where it is not, `attention` shows it. */
function checkAtStart(
  state: HoldState,
  entry: Entry & { kind: 'placed' },
  seen: Omit<Entry & { kind: 'placed' }, 'kind'>,
  now: Instant,
): HoldState {
  const known = withoutTrouble({ ...state, checked: true, entry: { kind: 'placed', ...seen } }, 'entry');
  if (isSamePeriod(seen.period, entry.period)) return known;
  return withTrouble(
    known,
    'entry',
    { code: 'ENTRY_MOVED', message: message('hold.entry-moved', {}), forPeople: true },
    now,
  );
}
