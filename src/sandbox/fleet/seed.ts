import { sql } from 'drizzle-orm';
import { isSeeded } from '../store/fleet.js';
import { cars, companies, productCars, products } from '../store/schema.js';
import type { SandboxDb, Transaction } from '../store/store.js';
import type { Fleet } from './fleet.js';
import { type FleetName, fleets } from './fleets.js';

/** Rows per statement: a statement has 65,535 parameters at most. */
const portion = 1000;

/** Puts the fleet into an empty database; one that has a company already is left as it is. */
export async function seed(db: SandboxDb, name: FleetName): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await isSeeded(tx))) await plant(tx, name);
  });
}

export const plant = (tx: Transaction, name: FleetName): Promise<void> => plantFleet(tx, fleets[name]());

/** Puts a fleet into an empty database, and counts a large one: an embedded database never does by itself. */
export async function plantFleet(tx: Transaction, fleet: Fleet): Promise<void> {
  for (const rows of portions(fleet.companies)) await tx.insert(companies).values(rows);
  for (const rows of portions(fleet.cars)) await tx.insert(cars).values(rows);
  for (const rows of portions(fleet.products)) await tx.insert(products).values(rows);
  for (const rows of portions(fleet.productCars)) await tx.insert(productCars).values(rows);
  if (fleet.cars.length > portion / 10) await tx.execute(sql`analyze ${cars}, ${products}, ${productCars}`);
}

function* portions<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += portion) yield rows.slice(from, from + portion);
}
