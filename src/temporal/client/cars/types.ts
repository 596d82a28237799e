import type { CarWriteResult, CarWriteStart } from '../../../contract/car-write.js';

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
