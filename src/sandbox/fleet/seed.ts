import { isSeeded } from '../store/fleet.js';
import { cars, companies, productCars, products } from '../store/schema.js';
import type { SandboxDb } from '../store/store.js';
import type { Fleet } from './fleet.js';
import { small } from './small.js';

const fleets = { small } satisfies Record<string, Fleet>;
export type FleetName = keyof typeof fleets;
export const fleetNames = Object.keys(fleets) as [FleetName, ...FleetName[]];

/** Puts the fleet into an empty database; one that has a company already is left as it is. */
export async function seed(db: SandboxDb, name: FleetName): Promise<void> {
  const fleet: Fleet = fleets[name];
  await db.transaction(async (tx) => {
    if (await isSeeded(tx)) return;
    await tx.insert(companies).values(fleet.companies);
    await tx.insert(cars).values(fleet.cars);
    await tx.insert(products).values(fleet.products);
    await tx.insert(productCars).values(fleet.productCars);
  });
}
