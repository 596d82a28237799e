import type { Message } from '../../shared/message.js';
import type { Instant, Period } from '../../shared/time.js';
import { freePeriods, obstacles } from '../free-periods.js';
import { message } from '../messages/message.js';
import { type HoldRefused, isUnread, type Obstacle, type ScheduleEntry, type StepAnswers } from '../types.js';

export type SchedulesAnswer = StepAnswers['read-schedules'];

/** Free periods are reported only where every entry can be read. */
export function e011(answer: SchedulesAnswer, period: Period, now: Instant, own?: number): HoldRefused {
  if (answer.outcome !== 'applied') return { code: 'E011', message: inTheWayOf([]) };
  const others = readable(answer).filter(({ scheduleId }) => scheduleId !== own);
  const inTheWay = obstacles(others, period);
  const isWhole = !answer.value.some(isUnread);
  return {
    code: 'E011',
    message: inTheWayOf(inTheWay),
    inTheWay,
    ...(isWhole && { free: freePeriods(others, period, now) }),
  };
}

/** F08. */
export function inTheWayOf(obstacles: readonly Obstacle[]): Message {
  const [first] = obstacles;
  if (first === undefined) return message('hold.in-the-way', { first: null, more: 0 });
  const { scheduleId, type, holdId } = first;
  return message('hold.in-the-way', { first: { scheduleId, type, holdId }, more: obstacles.length - 1 });
}

export function readable(answer: SchedulesAnswer): ScheduleEntry[] {
  if (answer.outcome !== 'applied') return [];
  return answer.value.filter((one): one is ScheduleEntry => !isUnread(one));
}
