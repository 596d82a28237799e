import { and, asc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm';
import type * as m from '../../platform/model.js';
import { overlaps } from './assignment.js';
import type { Page } from './fleet.js';
import { cars, schedules } from './schema.js';
import type { Executor } from './store.js';

export interface ScheduleQuery {
  companyId: number | undefined;
  startAt: m.Instant;
  endAt: m.Instant;
  carNumber?: string | undefined;
  detailModelName?: string | undefined;
}

const { reservationId: _of, ...columns } = getTableColumns(schedules);
const everything = 2 ** 31 - 1;

/**
 * Schedules R and S that share an instant with the period, grouped by car, ascending (G09); cars without are absent.
 * `offset` and `limit` make the planner use the index once per car, however many entries the other cars have.
 */
export async function findSchedules(
  db: Executor,
  query: ScheduleQuery,
  page: Page,
): Promise<m.CarSchedules[]> {
  const ofCars = and(
    gt(cars.carId, page.after),
    query.companyId === undefined ? undefined : eq(cars.companyId, query.companyId),
    query.carNumber === undefined ? undefined : eq(cars.carNumber, query.carNumber),
    query.detailModelName === undefined ? undefined : eq(cars.detailModelName, query.detailModelName),
  );
  const has = sql`exists (select from ${schedules} where ${schedules.carId} = ${cars.carId} and ${overlaps(query)} offset 0)`;
  const carsOnPage = db
    .select({ carId: cars.carId, carNumber: cars.carNumber, detailModelName: cars.detailModelName })
    .from(cars)
    .where(and(ofCars, has))
    .orderBy(asc(cars.carId))
    .limit(page.limit)
    .as('page');
  const own = db
    .select(columns)
    .from(schedules)
    .where(and(eq(schedules.carId, carsOnPage.carId), overlaps(query)))
    .limit(everything)
    .as('own');
  const { scheduleId, carId, scheduleType, startAt, endAt, reason } = own;
  const rows = await db
    .select({
      carNumber: carsOnPage.carNumber,
      detailModelName: carsOnPage.detailModelName,
      entry: { scheduleId, carId, scheduleType, startAt, endAt, reason },
    })
    .from(carsOnPage)
    .innerJoinLateral(own, sql`true`)
    .orderBy(asc(carsOnPage.carId), asc(own.startAt));
  const groups = new Map<number, m.CarSchedules>();
  for (const { carNumber, detailModelName, entry } of rows) {
    const group = groups.get(entry.carId);
    if (group) group.schedules.push(entry);
    else groups.set(entry.carId, { carId: entry.carId, carNumber, detailModelName, schedules: [entry] });
  }
  return [...groups.values()];
}

/** One schedule of any type; another company's is not there (G27). */
export async function readSchedule(
  db: Executor,
  scheduleId: number,
  companyId: number | undefined,
): Promise<m.Schedule | undefined> {
  const [row] = await scheduleOf(db, scheduleId, companyId);
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockSchedule(
  tx: Executor,
  scheduleId: number,
  companyId: number | undefined,
): Promise<m.Schedule | undefined> {
  const [row] = await scheduleOf(tx, scheduleId, companyId).for('update');
  return row;
}

function scheduleOf(db: Executor, scheduleId: number, companyId: number | undefined) {
  const own = (company: number) =>
    inArray(schedules.carId, db.select({ carId: cars.carId }).from(cars).where(eq(cars.companyId, company)));
  return db
    .select(columns)
    .from(schedules)
    .where(and(eq(schedules.scheduleId, scheduleId), companyId === undefined ? undefined : own(companyId)));
}

/**
 * Inserts an external schedule; undefined when another one of the car overlaps it. Nothing is written then, so two
 * concurrent inserts never wait for each other.
 */
export async function insertSchedule(
  tx: Executor,
  schedule: m.ScheduleRequest,
): Promise<m.Schedule | undefined> {
  const [row] = await tx
    .insert(schedules)
    .values({ ...schedule, scheduleType: 'S' })
    .onConflictDoNothing()
    .returning(columns);
  return row;
}

/** @throws a database error (`isOverlap`) when another schedule of the car is in the way */
export async function editSchedule(
  tx: Executor,
  scheduleId: number,
  change: Pick<m.Schedule, 'startAt' | 'endAt' | 'reason'>,
): Promise<void> {
  await tx.update(schedules).set(change).where(eq(schedules.scheduleId, scheduleId));
}

export async function removeSchedule(tx: Executor, scheduleId: number): Promise<void> {
  await tx.delete(schedules).where(eq(schedules.scheduleId, scheduleId));
}
