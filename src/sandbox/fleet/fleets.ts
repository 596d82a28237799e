import { chain, city } from './cities.js';
import type { Fleet } from './fleet.js';
import { small } from './small.js';

/** Each is made on demand: ten thousand cars should not stay in memory. */
export const fleets = { small: () => small, city, chain } satisfies Record<string, () => Fleet>;
export type FleetName = keyof typeof fleets;
export const fleetNames = Object.keys(fleets) as [FleetName, ...FleetName[]];
