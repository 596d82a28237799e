import { and, asc, eq, gt } from 'drizzle-orm';
import type * as m from '../../platform/model.js';
import { overlaps } from './assignment.js';
import type { Window } from './fleet.js';
import { cars, schedules } from './schema.js';
import type { Executor } from './store.js';

export interface ScheduleQuery {
  companyId: number | undefined;
  startAt: m.Instant;
  endAt: m.Instant;
  carNumber?: string | undefined;
  detailModelName?: string | undefined;
}

/** Schedules R and S that share an instant with the period, grouped by car, ascending (G09); cars without are absent. */
export async function findSchedules(
  db: Executor,
  query: ScheduleQuery,
  window: Window,
): Promise<m.CarSchedules[]> {
  const ofCars = and(
    gt(cars.carId, window.after),
    query.companyId === undefined ? undefined : eq(cars.companyId, query.companyId),
    query.carNumber === undefined ? undefined : eq(cars.carNumber, query.carNumber),
    query.detailModelName === undefined ? undefined : eq(cars.detailModelName, query.detailModelName),
  );
  const page = db
    .selectDistinct({ carId: cars.carId, carNumber: cars.carNumber, detailModelName: cars.detailModelName })
    .from(cars)
    .innerJoin(schedules, and(eq(schedules.carId, cars.carId), overlaps(query)))
    .where(ofCars)
    .orderBy(asc(cars.carId))
    .limit(window.limit)
    .as('page');
  const rows = await db
    .select({ carNumber: page.carNumber, detailModelName: page.detailModelName, schedule: schedules })
    .from(page)
    .innerJoin(schedules, and(eq(schedules.carId, page.carId), overlaps(query)))
    .orderBy(asc(page.carId), asc(schedules.startAt));
  const groups = new Map<number, m.CarSchedules>();
  for (const { carNumber, detailModelName, schedule } of rows) {
    const { reservationId: _reservation, ...entry } = schedule;
    const group = groups.get(entry.carId);
    if (group) group.schedules.push(entry);
    else groups.set(entry.carId, { carId: entry.carId, carNumber, detailModelName, schedules: [entry] });
  }
  return [...groups.values()];
}
