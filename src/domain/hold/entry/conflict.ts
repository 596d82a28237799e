import type { Instant, Period } from '../../shared/time.js';
import { freePeriods, obstacles } from '../free-periods.js';
import * as texts from '../texts.js';
import { type HoldRefused, isUnread, type ScheduleEntry, type StepAnswers } from '../types.js';

export type SchedulesAnswer = StepAnswers['read-schedules'];

/** Free periods are reported only where every entry can be read. */
export function e011(answer: SchedulesAnswer, period: Period, now: Instant, own?: number): HoldRefused {
  if (answer.outcome !== 'applied') return { code: 'E011', message: texts.inTheWay([]) };
  const others = readable(answer).filter(({ scheduleId }) => scheduleId !== own);
  const inTheWay = obstacles(others, period);
  const isWhole = !answer.value.some(isUnread);
  return {
    code: 'E011',
    message: texts.inTheWay(inTheWay),
    inTheWay,
    ...(isWhole && { free: freePeriods(others, period, now) }),
  };
}

export function readable(answer: SchedulesAnswer): ScheduleEntry[] {
  if (answer.outcome !== 'applied') return [];
  return answer.value.filter((one): one is ScheduleEntry => !isUnread(one));
}
