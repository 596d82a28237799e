import type { Role } from '../../contract/role.js';
import type { Catalogue } from '../../platform/catalogue/catalogue.js';
import type { CarWrites } from '../../temporal/client/cars/types.js';

/** What the fleet's paths work with. */
export interface FleetDeps {
  /** The platform's roles that have a key here (G26). */
  roles: readonly Role[];
  catalogue: Catalogue;
  carWrites: CarWrites;
}
