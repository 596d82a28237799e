import { type FleetName, fleetNames } from '../../sandbox/fleet/fleets.js';

/** @throws Error that lists the seed fleets */
export function fleetOf(name: string): FleetName {
  const known = fleetNames.find((fleet) => fleet === name);
  if (known === undefined) throw new Error(`SANDBOX_FLEET is ${name}; it may be ${fleetNames.join(', ')}`);
  return known;
}
