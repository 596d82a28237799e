import { and, asc, eq, notExists, sql } from 'drizzle-orm';
import type { Instant } from '../../platform/model.js';
import { cars, companies, productCars, products, reservationIds, schedules } from './schema.js';
import type { Executor } from './store.js';

interface Period {
  startAt: Instant;
  endAt: Instant;
}

const week = 7 * 24 * 3_600_000;

/** Reads the product of a booking and locks it against deletion until the transaction ends. */
export async function bookableProduct(tx: Executor, productId: number) {
  const held = tx
    .select()
    .from(products)
    .where(eq(products.productId, productId))
    .for('key share')
    .as('held');
  const [row] = await tx
    .select({
      companyId: held.companyId,
      companyName: companies.companyName,
      approveStatus: held.approveStatus,
    })
    .from(held)
    .innerJoin(companies, eq(companies.companyId, held.companyId));
  return row;
}

/**
 * The car that is given: of the product's cars that are on sale and free in the whole period, the one with
 * the fewest reserved hours in the week either side of the start, then the lowest id. The load spreads, and the
 * same state always gives the same car.
 */
function bestCar(tx: Executor, productId: number, period: Period) {
  const nearby = overlaps({ startAt: period.startAt - week, endAt: period.startAt + week });
  const load = sql`(select coalesce(sum(${schedules.endAt} - ${schedules.startAt}), interval '0') from ${schedules}
    where ${schedules.carId} = ${cars.carId} and ${schedules.scheduleType} = 'R' and ${nearby})`;
  const occupied = tx
    .select({ one: sql`1` })
    .from(schedules)
    .where(and(eq(schedules.carId, cars.carId), overlaps(period)));
  return tx
    .select({ carId: cars.carId, carNumber: cars.carNumber })
    .from(productCars)
    .innerJoin(cars, eq(cars.carId, productCars.carId))
    .where(and(eq(productCars.productId, productId), eq(productCars.saleYn, 'Y'), notExists(occupied)))
    .orderBy(load, asc(cars.carId))
    .limit(1)
    .as('best');
}

/** A car for another one of the same product, if there is one. */
export async function freeCarOfProduct(tx: Executor, productId: number, period: Period) {
  const [row] = await tx.select().from(bestCar(tx, productId, period));
  return row;
}

/** The car that a booking gets. Comes with a fresh reservation id. */
export async function pickCar(tx: Executor, productId: number, period: Period) {
  const best = bestCar(tx, productId, period);
  const sequence = `sandbox.${reservationIds.seqName}`;
  const [row] = await tx
    .select({
      carId: best.carId,
      carNumber: best.carNumber,
      reservationId: sql<number>`nextval(${sequence})`.mapWith(Number),
    })
    .from(best);
  return row;
}

/**
 * Reserves the car for the period. The database constraint decides: false when another booking was faster.
 * (No savepoint is needed: `on conflict do nothing` also waits for an uncommitted concurrent insert.)
 */
export async function reserveCar(
  tx: Executor,
  schedule: Period & { carId: number; reservationId: number; reason: string },
): Promise<boolean> {
  const made = await tx
    .insert(schedules)
    .values({ ...schedule, scheduleType: 'R' })
    .onConflictDoNothing()
    .returning({ scheduleId: schedules.scheduleId });
  return made.length === 1;
}

/** The period of a schedule shares an instant with [startAt, endAt). */
export function overlaps(period: Period) {
  const from = new Date(period.startAt).toISOString();
  const to = new Date(period.endAt).toISOString();
  return sql`tstzrange(${schedules.startAt}, ${schedules.endAt}, '[)') && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')`;
}
