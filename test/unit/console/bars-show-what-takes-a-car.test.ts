import { describe, expect, it } from 'vitest';
import type { CarSchedule, ScheduleBar } from '../../../console/api/types.js';
import { isFree, placed } from '../../../console/screens/cars/bars.js';

const at = (hour: number) => Date.UTC(2026, 10, 23, hour);
const iso = (hour: number) => new Date(at(hour)).toISOString();
const reservation = (start: number, end: number, more: object = {}): ScheduleBar => ({
  type: 'reservation',
  startAt: iso(start),
  endAt: iso(end),
  reservationId: start,
  status: { code: 20, name: 'in use' },
  attention: [],
  atRisk: false,
  overdue: false,
  ...more,
});
const car = (...bars: ScheduleBar[]): CarSchedule => ({ carId: 1, carNumber: null, bars });

describe('the bars of a car', () => {
  it('an overdue reservation takes the car until now, and the one after it is at risk', () => {
    const bars = placed(car(reservation(1, 3, { overdue: true, atRisk: true }), reservation(4, 6)), at(5));
    expect(bars.map(({ end, takenUntil, isAtRisk }) => [end, takenUntil, isAtRisk])).toEqual([
      [at(3), at(5), false],
      [at(6), at(6), true],
    ]);
  });

  it('an S entry of the schedule takes its car, and is no reservation at risk', () => {
    const entry: ScheduleBar = {
      type: 'entry',
      scheduleId: 7,
      startAt: iso(4),
      endAt: iso(5),
      readAt: iso(3),
    };
    const schedule = car(reservation(1, 3, { overdue: true, atRisk: true }), entry, reservation(8, 9));
    expect(placed(schedule, at(3)).map(({ isAtRisk }) => isAtRisk)).toEqual([false, false, true]);
    expect(isFree(schedule, at(4), at(6), at(3))).toBe(false);
    expect(isFree(schedule, at(5), at(8), at(3))).toBe(true);
  });

  it('a car is free where nothing that is known takes it', () => {
    const schedule = car(reservation(1, 3, { overdue: true }), reservation(8, 9));
    expect(isFree(undefined, at(0), at(24), at(5))).toBe(true);
    expect(isFree(schedule, at(5), at(8), at(5))).toBe(true);
    expect(isFree(schedule, at(4), at(8), at(5))).toBe(false);
    expect(isFree(schedule, at(7), at(10), at(5))).toBe(false);
  });
});
