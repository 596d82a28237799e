import { and, asc, eq, gt, inArray, ne, notInArray, sql } from 'drizzle-orm';
import type { Instant } from '../../platform/model.js';
import {
  cars,
  companies,
  memos,
  productCars,
  products,
  reservations,
  schedules,
  webSiteIds,
} from './schema.js';
import type { Executor } from './store.js';

export type CarRow = typeof cars.$inferSelect;
export type ProductRow = typeof products.$inferSelect;

const terminal = [35, 40, 45, 50];
const nextId = sql<number>`nextval(${`sandbox.${webSiteIds.seqName}`})`.mapWith(Number);

/** An id for what the company registers now; undefined where there is no such company. */
export async function freshId(tx: Executor, companyId: number): Promise<number | undefined> {
  const [row] = await tx.select({ id: nextId }).from(companies).where(eq(companies.companyId, companyId));
  return row?.id;
}

/** @throws a database error with SQL state 23505 when another car has the number */
export async function insertCar(tx: Executor, car: CarRow): Promise<void> {
  await tx.insert(cars).values(car);
}

/** @throws a database error with SQL state 23505 when another car has the number */
export async function updateCar(tx: Executor, { carId, ...car }: CarRow): Promise<void> {
  await tx.update(cars).set(car).where(eq(cars.carId, carId));
}

export async function lockCar(tx: Executor, carId: number): Promise<CarRow | undefined> {
  const [row] = await tx.select().from(cars).where(eq(cars.carId, carId)).for('update');
  return row;
}

/** Removes a car with its memos and what remains of past schedules. */
export async function removeCar(tx: Executor, carId: number): Promise<void> {
  await tx.delete(memos).where(eq(memos.carId, carId));
  await tx.delete(schedules).where(eq(schedules.carId, carId));
  await tx.delete(cars).where(eq(cars.carId, carId));
}

/** Of the company's cars those with these ids, ascending. */
export function carsOfCompany(tx: Executor, companyId: number, carIds: number[]): Promise<CarRow[]> {
  return tx
    .select()
    .from(cars)
    .where(and(eq(cars.companyId, companyId), inArray(cars.carId, carIds)))
    .orderBy(asc(cars.carId));
}

/** The products that hold a car, ascending. */
export async function productsWithCar(tx: Executor, carId: number): Promise<number[]> {
  const rows = await tx
    .select({ productId: productCars.productId })
    .from(productCars)
    .where(eq(productCars.carId, carId))
    .orderBy(asc(productCars.productId));
  return rows.map(({ productId }) => productId);
}

/** Whether a schedule of the car, of whatever type, has not ended by `now`. */
export async function hasScheduleAfter(tx: Executor, carId: number, now: Instant): Promise<boolean> {
  const rows = await tx
    .select({ scheduleId: schedules.scheduleId })
    .from(schedules)
    .where(and(eq(schedules.carId, carId), gt(schedules.endAt, now)))
    .limit(1);
  return rows.length > 0;
}

/** Whether a reservation that is not over has the car, or is of the product. */
export async function hasLiveReservation(
  tx: Executor,
  of: { carId: number } | { productId: number },
): Promise<boolean> {
  const its = 'carId' in of ? eq(reservations.carId, of.carId) : eq(reservations.productId, of.productId);
  const rows = await tx
    .select({ reservationId: reservations.reservationId })
    .from(reservations)
    .where(and(its, notInArray(reservations.status, terminal)))
    .limit(1);
  return rows.length > 0;
}

export async function insertProduct(tx: Executor, product: ProductRow): Promise<void> {
  await tx.insert(products).values(product);
}

export async function updateProduct(tx: Executor, { productId, ...product }: ProductRow): Promise<void> {
  await tx.update(products).set(product).where(eq(products.productId, productId));
}

export async function lockProduct(tx: Executor, productId: number): Promise<ProductRow | undefined> {
  const [row] = await tx.select().from(products).where(eq(products.productId, productId)).for('update');
  return row;
}

export async function removeProduct(tx: Executor, productId: number): Promise<void> {
  await tx.delete(productCars).where(eq(productCars.productId, productId));
  await tx.delete(products).where(eq(products.productId, productId));
}

/** The product's cars are these from now on: new ones on sale, those that stay as they were. */
export async function setProductCars(tx: Executor, productId: number, carIds: number[]): Promise<void> {
  const gone = and(eq(productCars.productId, productId), notInArray(productCars.carId, carIds));
  await tx.delete(productCars).where(gone);
  const rows = carIds.map((carId) => ({ productId, carId, saleYn: 'Y' as const }));
  await tx.insert(productCars).values(rows).onConflictDoNothing();
}

/** A product of the company that has the fare plan, other than `productId`. */
export async function productWithFare(
  tx: Executor,
  companyId: number,
  fareId: number,
  productId: number,
): Promise<ProductRow | undefined> {
  const [row] = await tx
    .select()
    .from(products)
    .where(
      and(eq(products.companyId, companyId), eq(products.fareId, fareId), ne(products.productId, productId)),
    )
    .limit(1);
  return row;
}
