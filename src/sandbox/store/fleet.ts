import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type * as m from '../../platform/model.js';
import type { CarFilter, ProductFilter } from '../../platform/profile.js';
import { cars, companies, productCars, products } from './schema.js';
import type { Executor } from './store.js';

/** A page on a list in ascending id (G21): items after `after`, `limit` at most. */
export interface Page {
  after: number;
  limit: number;
}

const equals = <T>(column: Parameters<typeof eq>[0], value: T | undefined) =>
  value === undefined ? undefined : eq(column, value);

/** Products of one company, or of all for a channel (G27). Filters compare for equality (G22). */
export async function findProducts(
  db: Executor,
  companyId: number | undefined,
  filter: ProductFilter & { productId?: number; fareId?: number },
  page: Page,
): Promise<m.Product[]> {
  const rows = await db
    .select()
    .from(products)
    .where(
      and(
        gt(products.productId, page.after),
        equals(products.companyId, companyId),
        equals(products.productId, filter.productId),
        equals(products.fareId, filter.fareId),
        equals(products.approveStatus, filter.productApproveStatus),
        equals(products.productName, filter.productName),
        equals(products.detailModelName, filter.detailModelName),
        equals(products.carTypeFuelCd, filter.carTypeFuelCd),
      ),
    )
    .orderBy(asc(products.productId))
    .limit(page.limit);
  return rows.map(({ companyId: _company, approveStatus, details, ...rest }) => ({
    ...rest,
    ...details,
    productApproveStatus: approveStatus,
  }));
}

/** Cars of one company, or of all for a channel (G27). Filters compare for equality (G23). */
export async function findCars(
  db: Executor,
  companyId: number | undefined,
  filter: CarFilter & { carId?: number },
  page: Page,
): Promise<m.Car[]> {
  const rows = await db
    .select({ car: cars, businessName: companies.companyName })
    .from(cars)
    .innerJoin(companies, eq(companies.companyId, cars.companyId))
    .where(
      and(
        gt(cars.carId, page.after),
        equals(cars.companyId, companyId),
        equals(cars.carId, filter.carId),
        equals(cars.companyId, filter.businessLicenseId),
        equals(cars.carTypeFuelCd, filter.carTypeFuelCd),
        equals(cars.carNumber, filter.carNumber),
        equals(cars.deviceEquipYn, filter.deviceEquipYn),
      ),
    )
    .orderBy(asc(cars.carId))
    .limit(page.limit);
  return rows.map(({ car: { companyId: businessLicenseId, details, ...rest }, businessName }) => ({
    ...rest,
    ...details,
    businessLicenseId,
    businessName,
  }));
}

/** The cars of a product with their sale status (G10). */
export function findRelatedCars(db: Executor, productId: number, page: Page): Promise<m.RelatedCar[]> {
  return db
    .select({
      carId: cars.carId,
      carNumber: cars.carNumber,
      detailModelName: cars.detailModelName,
      saleYn: productCars.saleYn,
    })
    .from(productCars)
    .innerJoin(cars, eq(cars.carId, productCars.carId))
    .where(and(eq(productCars.productId, productId), gt(cars.carId, page.after)))
    .orderBy(asc(cars.carId))
    .limit(page.limit);
}

export async function isSeeded(db: Executor): Promise<boolean> {
  const rows = await db.select({ companyId: companies.companyId }).from(companies).limit(1);
  return rows.length > 0;
}

/** A car by id with its company's name; another company's is not there (G27). */
export async function carOfCompany(db: Executor, carId: number, companyId: number | undefined) {
  const [row] = await db
    .select({ carId: cars.carId, carNumber: cars.carNumber, companyName: companies.companyName })
    .from(cars)
    .innerJoin(companies, eq(companies.companyId, cars.companyId))
    .where(and(eq(cars.carId, carId), equals(cars.companyId, companyId)));
  return row;
}

/** Sets the sale status of one car in a product of the company. @returns false when there is no such pair */
export async function setSaleYn(
  db: Executor,
  companyId: number | undefined,
  { productId, carId, saleYn }: m.SaleStatus,
): Promise<boolean> {
  const own = db
    .select({ productId: products.productId })
    .from(products)
    .where(and(eq(products.productId, productId), equals(products.companyId, companyId)));
  const set = await db
    .update(productCars)
    .set({ saleYn })
    .where(and(inArray(productCars.productId, own), eq(productCars.carId, carId)))
    .returning({ carId: productCars.carId });
  return set.length === 1;
}
