import { type Rejected, waitsFor } from '../../shared/outcome.js';
import type { Instant, Period } from '../../shared/time.js';
import { concluded, secondReadMs, withoutTrouble, withTrouble } from '../record.js';
import * as texts from '../texts.js';
import type { Doing, Entry, HoldRefused, HoldState, StepAnswers } from '../types.js';
import { e011, type SchedulesAnswer } from './conflict.js';
import { lost, notRead, platformTextOf, readsFrom, samePeriod, written } from './outcomes.js';

export function entryChanged(
  state: HoldState,
  { period, reason }: Doing<'change-entry'>,
  answer: StepAnswers['change-entry'],
  now: Instant,
): HoldState {
  const { entry } = state;
  if (entry.kind !== 'placed') return state;
  switch (answer.outcome) {
    case 'applied':
      return hasChanged(state, { scheduleId: entry.scheduleId, period, reason }, now);
    case 'unknown':
      return lost(
        state,
        { ...entry, kind: 'changing', to: { period, reason }, ...readsFrom(answer.code, now) },
        answer,
        now,
      );
    case 'rejected':
      return changeNotDone(state, answer, now);
  }
}

function hasChanged(
  state: HoldState,
  known: { scheduleId: number; period: Period; reason: string },
  now: Instant,
): HoldState {
  const entry: Entry = { kind: 'placed', ...known };
  const { change, leaving } = state;
  const clear = withoutTrouble({ ...state, entry }, 'entry');
  if (leaving !== null || change === null) return clear;
  const changed: HoldState = {
    ...clear,
    change: null,
    period: known.period,
    reason: change.reason,
    // F05: products that came to hold the car since
    sale: { ...state.sale, scan: state.sale.begun ? 'due' : state.sale.scan },
  };
  return concluded(changed, change.commandId, {
    outcome: 'applied',
    at: now,
    data: { before: written(state.period), after: written(known.period) },
  });
}

export function entryDeleted(state: HoldState, answer: StepAnswers['delete-entry'], now: Instant): HoldState {
  const { entry } = state;
  if (entry.kind !== 'placed') return state;
  const { scheduleId } = entry;
  if (answer.outcome === 'applied')
    return withoutTrouble({ ...state, entry: { kind: 'gone', scheduleId } }, 'entry');
  if (answer.outcome === 'unknown')
    return lost(state, { ...entry, kind: 'deleting', ...readsFrom(answer.code, now) }, answer, now);
  return changeNotDone(state, answer, now);
}

function changeNotDone(state: HoldState, refused: Rejected, now: Instant): HoldState {
  const { code, message } = refused;
  if (code === 'NOT_FOUND') return entryGone(state, now);
  if (state.leaving !== null || waitsFor(code) === 'handover')
    return withTrouble(state, 'entry', { code, message: explained(code, message) }, now);
  if (code === 'E011' && state.change !== null)
    return { ...state, change: { ...state.change, blocked: true } };
  return changeRefused(state, { code, message: explained(code, message), ...platformTextOf(refused) }, now);
}

function changeRefused(state: HoldState, refused: HoldRefused, now: Instant): HoldState {
  const { change } = state;
  if (change === null) return state;
  return concluded(withoutTrouble({ ...state, change: null }, 'entry'), change.commandId, {
    outcome: 'rejected',
    refused,
    at: now,
    data: { before: written(state.period), after: written(change.period) },
  });
}

/** F09: a reservation's entry (type R) is none of ours to edit or delete. */
function explained(code: string, message: string): string {
  return code === 'ILLEGAL_STATE' ? texts.isReservation : message;
}

/** It was deleted on the web site: nothing is left to undo, and nothing blocks the car for the period. */
function entryGone(state: HoldState, now: Instant): HoldState {
  const { entry } = state;
  if (!('scheduleId' in entry)) return state;
  const gone = withoutTrouble(
    { ...state, checked: true, entry: { kind: 'gone', scheduleId: entry.scheduleId } },
    'entry',
  );
  if (state.leaving !== null) return gone;
  const trouble = { code: 'NOT_FOUND', message: texts.entryGone, forPeople: true };
  return withTrouble(
    changeRefused(gone, { code: 'NOT_FOUND', message: texts.entryGone }, now),
    'entry',
    trouble,
    now,
  );
}

export function obstructed(state: HoldState, answer: SchedulesAnswer, now: Instant): HoldState {
  const { change, entry } = state;
  if (change === null || entry.kind !== 'placed') return state;
  return changeRefused(state, e011(answer, change.period, now, entry.scheduleId), now);
}

/** F07: what became of a lost PUT or DELETE, by GET /schedule/{id}; two looks before it is sent again. */
export function entrySeen(state: HoldState, answer: StepAnswers['look-at-entry'], now: Instant): HoldState {
  const { entry } = state;
  if (entry.kind !== 'changing' && entry.kind !== 'deleting' && entry.kind !== 'placed') return state;
  if (answer.outcome !== 'applied') {
    if (answer.outcome === 'rejected' && answer.code === 'NOT_FOUND') return entryGone(state, now);
    return withTrouble(state, 'entry', notRead(answer), now);
  }
  const { scheduleId } = entry;
  // a reason that cannot be read changes nothing: only where it alone was to change does nothing show that it did
  const seen = { scheduleId, period: answer.value.period, reason: answer.value.reason ?? entry.reason };
  if (entry.kind === 'placed') return checked(state, entry, seen, now);
  if (entry.kind === 'changing' && shows(answer.value, entry)) {
    return hasChanged(state, { scheduleId, period: seen.period, reason: entry.to.reason }, now);
  }
  const looks = entry.looks + 1;
  if (looks < 2) return { ...state, entry: { ...entry, looks, lookAt: now + secondReadMs } };
  return { ...state, entry: { kind: 'placed', ...seen } };
}

/** Whether the entry reads as it was to become. */
function shows(
  { period, reason }: { period: Period; reason: string | null },
  { to, period: before }: Entry & { kind: 'changing' },
): boolean {
  if (!samePeriod(period, to.period)) return false;
  return reason === null ? !samePeriod(before, to.period) : reason === to.reason;
}

/** F19: at the start the entry is there as it was placed; where it is not, `attention` shows it. */
function checked(
  state: HoldState,
  entry: Entry & { kind: 'placed' },
  seen: Omit<Entry & { kind: 'placed' }, 'kind'>,
  now: Instant,
): HoldState {
  const known = withoutTrouble({ ...state, checked: true, entry: { kind: 'placed', ...seen } }, 'entry');
  if (samePeriod(seen.period, entry.period)) return known;
  return withTrouble(
    known,
    'entry',
    { code: 'ENTRY_MOVED', message: texts.entryMoved, forPeople: true },
    now,
  );
}
