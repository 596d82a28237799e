import { type Rejected, type Unknown, waitsFor } from '../shared/outcome.js';
import { hour, type Instant, minute, type Period } from '../shared/time.js';
import { entryReason, freeWindows, holdNamed, obstacles, rangeAround } from './free-periods.js';
import { concluded, dueAt, firstLookMs, secondLookMs, withoutTrouble, withTrouble } from './record.js';
import * as texts from './texts.js';
import {
  type Doing,
  type Entry,
  type HoldRefused,
  type HoldState,
  type HoldStep,
  isUnread,
  type ScheduleEntry,
  type StepAnswers,
} from './types.js';

/** A hold that is not placed by then is given up. */
const placeWithinMs = hour;
/** An entry that began this shortly ago is deleted rather than shortened. */
const justBegunMs = minute;

/** The end of an attempt to place the hold. */
export function placeBy({ createdAt, period }: HoldState): Instant {
  return Math.min(createdAt + placeWithinMs, period.end);
}

/** It stood in the platform's schedule, whatever became of it since. */
export function wasPlaced({ kind }: Entry): boolean {
  return kind !== 'none' && kind !== 'sent' && kind !== 'blocked';
}

/** What the entry asks for next; null: nothing more. */
export function entryStep(state: HoldState, now: Instant): HoldStep | null {
  const { entry, request } = state;
  const { carId } = request;
  switch (entry.kind) {
    case 'sent':
    case 'blocked': {
      const wide = entry.kind === 'blocked' && entry.wide;
      const known = wide ? { ...state, carNumber: null } : state;
      const lookAt = entry.kind === 'sent' ? entry.lookAt : 0;
      return later(state, lookAt, now, readSchedules(known, state.period, now));
    }
    case 'changing':
    case 'deleting':
      return later(state, entry.lookAt, now, { do: 'look-at-entry', scheduleId: entry.scheduleId });
    case 'none': {
      if (state.leaving !== null) return null;
      const add: HoldStep = { do: 'add-entry', carId, period: state.period, reason: reasonOf(state) };
      return later(state, 0, now, state.carNumber === null ? { do: 'read-car', carId } : add);
    }
    case 'placed': {
      if (state.leaving !== null) return leave(state, entry, now);
      if (!state.checked) return later(state, 0, now, { do: 'look-at-entry', scheduleId: entry.scheduleId });
      const { change } = state;
      if (change === null) return null;
      if (change.blocked) return readSchedules(state, change.period, now);
      const { scheduleId } = entry;
      const { period, reason } = change;
      const step: HoldStep = {
        do: 'change-entry',
        scheduleId,
        carId,
        period,
        reason: entryReason(reason, request.holdId),
      };
      return wasHeldBack(state) ? later(state, 0, now, step) : step;
    }
    case 'gone':
      return null;
  }
}

/** Handover itself sent no request at the last try. Earlier releases have no such trouble: their runs wait for nothing here. */
function wasHeldBack({ troubles }: HoldState): boolean {
  return waitsFor(troubles.entry?.code ?? '') === 'handover';
}

/** F10: an entry not yet begun is deleted, one under way ends at the request, one past stays as history. */
function leave(state: HoldState, entry: Entry & { kind: 'placed' }, now: Instant): HoldStep | null {
  const { scheduleId, period, reason } = entry;
  const at = shortenedTo(state);
  if (state.leaving?.end === 'ended' || period.end <= at) return null;
  const { carId } = state.request;
  return later(
    state,
    0,
    now,
    at - period.start < justBegunMs
      ? { do: 'delete-entry', scheduleId }
      : { do: 'change-entry', scheduleId, carId, period: { start: period.start, end: at }, reason },
  );
}

/** Whole seconds, as the period is: what is read back must be equal. */
function shortenedTo({ leaving }: HoldState): Instant {
  return Math.floor((leaving?.at ?? 0) / 1000) * 1000;
}

function later(state: HoldState, at: Instant, now: Instant, step: HoldStep): HoldStep {
  const due = Math.max(at, dueAt(state, 'entry'));
  return due > now ? { do: 'wait', until: due } : step;
}

function readSchedules(state: HoldState, period: Period, now: Instant): HoldStep {
  const { carNumber, request } = state;
  return { do: 'read-schedules', carId: request.carId, carNumber, range: rangeAround(period, now) };
}

function reasonOf({ reason, request }: HoldState): string {
  return entryReason(reason, request.holdId);
}

export function carRead(state: HoldState, answer: StepAnswers['read-car'], now: Instant): HoldState {
  if (answer.outcome === 'applied')
    return withoutTrouble({ ...state, carNumber: answer.value.carNumber }, 'entry');
  return notPlaced(state, answer, now);
}

export function entryAdded(
  state: HoldState,
  { period, reason }: Doing<'add-entry'>,
  answer: StepAnswers['add-entry'],
  now: Instant,
): HoldState {
  switch (answer.outcome) {
    case 'applied':
      return placed(state, { scheduleId: answer.value.scheduleId, period, reason }, now);
    case 'unknown':
      return lost(state, { kind: 'sent', ...looksFrom(answer.code, now) }, answer, now);
    case 'rejected':
      // it may be our own, whose answer was lost on the way
      return answer.code === 'E011'
        ? { ...state, entry: { kind: 'blocked', wide: false } }
        : notPlaced(state, answer, now);
  }
}

function looksFrom(code: string, now: Instant) {
  return { code, looks: 0, lookAt: now + firstLookMs };
}

/** One lost answer is looked after by itself; when it happens again and again, people see it (F12). */
function lost(state: HoldState, entry: Entry, { code, message }: Unknown, now: Instant): HoldState {
  const trouble = { code, message: texts.lost(message), againInMs: firstLookMs };
  return withTrouble({ ...state, entry }, 'entry', trouble, now);
}

function placed(
  state: HoldState,
  { scheduleId, period, reason }: { scheduleId: number; period: Period; reason: string },
  now: Instant,
): HoldState {
  const entry: Entry = { kind: 'placed', scheduleId, period, reason };
  return concluded(withoutTrouble({ ...state, entry }, 'entry'), state.request.holdId, {
    outcome: 'applied',
    at: now,
    data: { scheduleId, before: null, after: written(period) },
  });
}

/** A period in the audit. */
function written({ start, end }: Period): string {
  return `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
}

/** Nothing is in place: what passes is tried again, all else ends the hold. */
function notPlaced(state: HoldState, failed: Rejected | Unknown, now: Instant): HoldState {
  const message = failed.message ?? texts.unknown;
  if (failed.outcome === 'unknown' || waitsFor(failed.code) !== null)
    return withTrouble(state, 'entry', { code: failed.code, message }, now);
  return refuseHold(state, { code: failed.code, message, ...platformTextOf(failed) }, now);
}

/** F06: the hold never held the car; what there is of it is undone. */
export function refuseHold(state: HoldState, refused: HoldRefused, now: Instant): HoldState {
  const leaving = state.leaving ?? { end: 'refused' as const, at: now };
  const left = withoutTrouble(withoutTrouble({ ...state, leaving, refused }, 'entry'), 'memo');
  return concluded(left, state.request.holdId, {
    outcome: 'rejected',
    refused,
    at: now,
    data: {},
  });
}

/** What GET /schedule shows after a lost POST, or after E011 (F07, F08). */
export function schedulesRead(
  state: HoldState,
  answer: StepAnswers['read-schedules'],
  now: Instant,
): HoldState {
  const { entry, change } = state;
  if (entry.kind === 'placed') return change === null ? state : obstructed(state, answer, now);
  const own = readable(answer).find((one) => isOwn(state, one));
  if (own !== undefined) {
    return placed(state, { ...own, period: { start: own.start, end: own.end } }, now);
  }
  if (entry.kind !== 'sent' && entry.kind !== 'blocked') return state;
  if (answer.outcome !== 'applied') return withTrouble(state, 'entry', notRead(answer), now);
  // one that cannot be read may be the hold's own
  const hidden = answer.value.find(isUnread);
  if (hidden !== undefined) {
    return withTrouble(
      state,
      'entry',
      { code: 'UNREADABLE', message: texts.entryUnread(hidden.unread) },
      now,
    );
  }
  if (entry.kind === 'blocked') {
    const refused = e011(answer, state.period, now);
    // something is in the way: where the car's number shows nothing, it has another by now
    if (refused.inTheWay?.length === 0 && !entry.wide)
      return { ...state, entry: { kind: 'blocked', wide: true } };
    return refuseHold({ ...state, entry: { kind: 'none' } }, refused, now);
  }
  const looks = entry.looks + 1;
  if (looks < 2) return { ...state, entry: { ...entry, looks, lookAt: now + secondLookMs } };
  // two looks show nothing: sent again, or, where the hold is given up, there is nothing to undo
  return { ...state, entry: { kind: 'none' } };
}

/** F07: the same period, type S, and a reason that names the hold; of its words the platform may make others. */
function isOwn({ period, request }: HoldState, { type, reason, ...entry }: ScheduleEntry): boolean {
  return type === 'S' && samePeriod(entry, period) && holdNamed(reason) === request.holdId;
}

/** Free periods are reported only where every entry can be read. */
function e011(answer: SchedulesAnswer, period: Period, now: Instant, own?: number): HoldRefused {
  if (answer.outcome !== 'applied') return { code: 'E011', message: texts.inTheWay([]) };
  const others = readable(answer).filter(({ scheduleId }) => scheduleId !== own);
  const inTheWay = obstacles(others, period);
  const isWhole = !answer.value.some(isUnread);
  return {
    code: 'E011',
    message: texts.inTheWay(inTheWay),
    inTheWay,
    ...(isWhole && { free: freeWindows(others, period, now) }),
  };
}

type SchedulesAnswer = StepAnswers['read-schedules'];

function readable(answer: SchedulesAnswer): ScheduleEntry[] {
  if (answer.outcome !== 'applied') return [];
  return answer.value.filter((one): one is ScheduleEntry => !isUnread(one));
}

function obstructed(state: HoldState, answer: SchedulesAnswer, now: Instant): HoldState {
  const { change, entry } = state;
  if (change === null || entry.kind !== 'placed') return state;
  return changeRefused(state, e011(answer, change.period, now, entry.scheduleId), now);
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
        { ...entry, kind: 'changing', to: { period, reason }, ...looksFrom(answer.code, now) },
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

function changeNotDone(state: HoldState, refused: Rejected, now: Instant): HoldState {
  const { code, message } = refused;
  if (code === 'NOT_FOUND') return entryGone(state, now);
  if (state.leaving !== null || waitsFor(code) === 'handover')
    return withTrouble(state, 'entry', { code, message: explained(code, message) }, now);
  if (code === 'E011' && state.change !== null)
    return { ...state, change: { ...state.change, blocked: true } };
  return changeRefused(state, { code, message: explained(code, message), ...platformTextOf(refused) }, now);
}

function platformTextOf({ platformMessage }: { platformMessage?: string }) {
  return platformMessage === undefined ? {} : { platformMessage };
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

export function entryDeleted(state: HoldState, answer: StepAnswers['delete-entry'], now: Instant): HoldState {
  const { entry } = state;
  if (entry.kind !== 'placed') return state;
  const { scheduleId } = entry;
  if (answer.outcome === 'applied')
    return withoutTrouble({ ...state, entry: { kind: 'gone', scheduleId } }, 'entry');
  if (answer.outcome === 'unknown')
    return lost(state, { ...entry, kind: 'deleting', ...looksFrom(answer.code, now) }, answer, now);
  return changeNotDone(state, answer, now);
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
  if (looks < 2) return { ...state, entry: { ...entry, looks, lookAt: now + secondLookMs } };
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

function samePeriod(one: Period, other: Period): boolean {
  return one.start === other.start && one.end === other.end;
}

function notRead({ code, ...rest }: { code: string; message?: string }): { code: string; message: string } {
  return { code, message: rest.message ?? texts.notRead };
}
