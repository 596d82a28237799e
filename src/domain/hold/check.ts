import type { Sentence } from '../shared/message.js';
import { day, type Instant, minute, type Period, second } from '../shared/time.js';
import { message } from './messages/message.js';

/** A start this long ago is now. */
const slightlyPastMs = 15 * minute;
const longestAheadMs = 731 * day;
const editableDays = 7;

export interface PeriodRefusal {
  code: 'PERIOD_REVERSED' | 'HOLD_IN_PAST' | 'HOLD_TOO_FAR';
  message: Sentence;
}

/**
 * F01: the period that a new hold has: whole seconds, a start slightly past is now.
 * @returns why it cannot be, in a person's words, where it cannot
 */
export function newPeriod({ start, end }: Period, now: Instant): Period | PeriodRefusal {
  if (end <= start) return reversed;
  if (end <= now) {
    return {
      code: 'HOLD_IN_PAST',
      message: message('hold.period-over', {}),
    };
  }
  if (start < now - slightlyPastMs) {
    return {
      code: 'HOLD_IN_PAST',
      message: message('hold.start-past', {}),
    };
  }
  if (end > now + longestAheadMs) return tooFar;
  const period = wholeSeconds({ start: Math.max(start, now), end });
  return period.end <= period.start ? reversed : period;
}

/** F01, for a change: the end lies ahead, and so does a start that moves. */
export function changedPeriod(was: Period, wanted: Partial<Period>, now: Instant): Period | PeriodRefusal {
  const period = wholeSeconds({ start: wanted.start ?? was.start, end: wanted.end ?? was.end });
  const startMoves = period.start !== was.start;
  if (startMoves && period.start <= now) return newPeriod(period, now);
  if (period.end <= period.start) return reversed;
  if (period.end > now + longestAheadMs) return tooFar;
  if (period.end <= now) {
    return {
      code: 'HOLD_IN_PAST',
      message: message('hold.end-past', {}),
    };
  }
  return period;
}

export function isRefusal(answer: Period | PeriodRefusal): answer is PeriodRefusal {
  return 'code' in answer;
}

/** F09: the platform edits no entry whose end date is 7 or more days back (E012, G40), counted in the service's zone. */
export function isEditable(end: Instant, now: Instant, zoneOffsetMinutes: number): boolean {
  const dateOf = (instant: Instant) => Math.floor((instant + zoneOffsetMinutes * minute) / day);
  return dateOf(now) - dateOf(end) < editableDays;
}

function wholeSeconds({ start, end }: Period): Period {
  return { start: Math.floor(start / second) * second, end: Math.floor(end / second) * second };
}

const reversed: Readonly<PeriodRefusal> = {
  code: 'PERIOD_REVERSED',
  message: message('hold.period-reversed', {}),
};
const tooFar: Readonly<PeriodRefusal> = {
  code: 'HOLD_TOO_FAR',
  message: message('hold.too-far', {}),
};
