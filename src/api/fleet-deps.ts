import type { Catalogue } from '../catalogue/catalogue.js';
import type { CarWriteResult, CarWriteStart } from '../contract/car-write.js';
import type { Role } from '../contract/role.js';

/** A write that is known; `pending`: its outcome is not. */
export type KnownCarWrite = CarWriteResult | { outcome: 'pending' };

export interface CarWrites {
  /**
   * Writes once per command id. `pending`: not known within 10 s; `reused`: the id stands for another request.
   * @throws `EngineUnavailableError`
   */
  write(start: CarWriteStart): Promise<KnownCarWrite | { outcome: 'reused' }>;
  /** Undefined: no write has this id, or Temporal has forgotten it. @throws `EngineUnavailableError` */
  find(commandId: string): Promise<KnownCarWrite | undefined>;
}

/** What the fleet's paths work with. */
export interface FleetDeps {
  /** The platform's roles that have a key here (G26). */
  roles: readonly Role[];
  catalogue: Catalogue;
  carWrites: CarWrites;
}
