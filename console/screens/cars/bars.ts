import type { CarSchedule, ScheduleBar } from '../../api/types.js';

/** A bar with what only its neighbours show. */
export interface PlacedBar {
  bar: ScheduleBar;
  start: number;
  end: number;
  /** Overdue: the car is taken from `end` until then. */
  takenUntil: number;
  /** The reservation before it is late for it. */
  isAtRisk: boolean;
}

/** The bars of one car by their start. A car that is with the customer after its end is taken until now. */
export function placed({ bars }: Pick<CarSchedule, 'bars'>, now: number): PlacedBar[] {
  let isNextAtRisk = false;
  return bars.map((bar) => {
    const [start, end] = [Date.parse(bar.startAt), Date.parse(bar.endAt)];
    const isReservation = bar.type === 'reservation';
    const isAtRisk = isNextAtRisk && (isReservation || bar.type === 'finding');
    if (isAtRisk) isNextAtRisk = false;
    if (isReservation && bar.atRisk) isNextAtRisk = true;
    const takenUntil = isReservation && bar.overdue ? Math.max(end, now) : end;
    return { bar, start, end, takenUntil, isAtRisk };
  });
}

/** Whether nothing that is known takes the car between two instants. */
export function isFree(schedule: CarSchedule | undefined, from: number, to: number, now: number): boolean {
  if (schedule === undefined) return true;
  return placed(schedule, now).every(({ start, takenUntil }) => takenUntil <= from || start >= to);
}
