import { type Rejected, type Unknown, waitsFor } from '../../shared/outcome.js';
import type { Instant, Period } from '../../shared/time.js';
import { holdNamed } from '../free-periods.js';
import { message } from '../messages/message.js';
import { noAnswer } from '../messages/no-answer.js';
import { concludeCommand, secondReadMs, withoutTrouble, withTrouble } from '../record.js';
import {
  type Doing,
  type Entry,
  type HoldRefused,
  type HoldState,
  isUnread,
  type ScheduleEntry,
  type StepAnswers,
} from '../types.js';
import { refuseObstructedChange } from './changing.js';
import { e011, readable } from './conflict.js';
import {
  formatPeriod,
  isSamePeriod,
  planReads,
  platformTextOf,
  recordLostAnswer,
  toReadFailure,
} from './outcomes.js';

export function applyCarAnswer(state: HoldState, answer: StepAnswers['read-car'], now: Instant): HoldState {
  if (answer.outcome === 'applied')
    return withoutTrouble({ ...state, carNumber: answer.value.carNumber }, 'entry');
  return applyFailedPlacement(state, answer, now);
}

export function applyAddedEntry(
  state: HoldState,
  { period, reason }: Doing<'add-entry'>,
  answer: StepAnswers['add-entry'],
  now: Instant,
): HoldState {
  switch (answer.outcome) {
    case 'applied':
      return recordPlacement(state, { scheduleId: answer.value.scheduleId, period, reason }, now);
    case 'unknown':
      return recordLostAnswer(state, { kind: 'sent', ...planReads(answer.code, now) }, answer, now);
    case 'rejected':
      // it may be our own, whose answer was lost on the way
      return answer.code === 'E011'
        ? { ...state, entry: { kind: 'blocked', wide: false } }
        : applyFailedPlacement(state, answer, now);
  }
}

function recordPlacement(
  state: HoldState,
  { scheduleId, period, reason }: { scheduleId: number; period: Period; reason: string },
  now: Instant,
): HoldState {
  const entry: Entry = { kind: 'placed', scheduleId, period, reason };
  return concludeCommand(withoutTrouble({ ...state, entry }, 'entry'), state.request.holdId, {
    outcome: 'applied',
    at: now,
    data: { scheduleId, before: null, after: formatPeriod(period) },
  });
}

/** Nothing is in place: what passes is tried again, all else ends the hold. */
function applyFailedPlacement(state: HoldState, failed: Rejected | Unknown, now: Instant): HoldState {
  const why = failed.message ?? noAnswer;
  if (failed.outcome === 'unknown' || waitsFor(failed.code) !== null)
    return withTrouble(state, 'entry', { code: failed.code, message: why }, now);
  return refuseHold(state, { code: failed.code, message: why, ...platformTextOf(failed) }, now);
}

/** F06: the hold never held the car; what there is of it is undone. */
export function refuseHold(state: HoldState, refused: HoldRefused, now: Instant): HoldState {
  const leaving = state.leaving ?? { end: 'refused' as const, at: now };
  const left = withoutTrouble({ ...state, leaving, refused }, 'entry');
  return concludeCommand(left, state.request.holdId, {
    outcome: 'rejected',
    refused,
    at: now,
    data: {},
  });
}

/** What GET /schedule shows after a lost POST, or after E011 (F07, F08). */
export function applyScheduleAnswer(
  state: HoldState,
  answer: StepAnswers['read-schedules'],
  now: Instant,
): HoldState {
  const { entry } = state;
  if (entry.kind === 'placed') return refuseObstructedChange(state, answer, now);
  if (entry.kind !== 'sent' && entry.kind !== 'blocked') return state;
  const own = readable(answer).find((one) => isOwn(state, one));
  if (own !== undefined) {
    return recordPlacement(state, { ...own, period: { start: own.start, end: own.end } }, now);
  }
  if (answer.outcome !== 'applied') return withTrouble(state, 'entry', toReadFailure(answer), now);
  // one that cannot be read may be the hold's own
  const hidden = answer.value.find(isUnread);
  if (hidden !== undefined) {
    return withTrouble(
      state,
      'entry',
      { code: 'UNREADABLE', message: message('hold.entry-unread', { why: hidden.unread }) },
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
  if (looks < 2) return { ...state, entry: { ...entry, looks, lookAt: now + secondReadMs } };
  // two readings show no entry: it is sent again or, where the hold is given up, there is nothing to undo
  return { ...state, entry: { kind: 'none' } };
}

/** F07: the same period, type S, and a reason that names the hold; the platform may change the rest of the text. */
function isOwn({ period, request }: HoldState, { type, reason, ...entry }: ScheduleEntry): boolean {
  return type === 'S' && isSamePeriod(entry, period) && holdNamed(reason) === request.holdId;
}
