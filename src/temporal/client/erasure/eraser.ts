import { findDriver, type Preview, previewErasure } from '../../../store/erasure/preview.js';
import { checkFound } from '../../../store/erasure/too-many-found.js';
import { asUnavailable } from '../calls.js';
import { eraseAll } from './erase-all.js';
import { erasePhotos } from './erase-photos.js';
import type { ErasedPhotos, EraserDeps, Erasure, ErasureOrder } from './types.js';

export interface Eraser {
  /**
   * Erases closed reservations with what belongs to them: their data keys, photos, bodies and texts. Histories that Temporal
   * still has become tombstones and replay; runs that an earlier release wrote, under the key ring itself, are deleted.
   * @throws `EngineUnavailableError`, and what the photo store or the database throws: then no row is changed and no key destroyed; photos, and runs
   * of an earlier release, may be deleted already
   */
  erase(order: ErasureOrder): Promise<Erasure>;
  /**
   * Deletes the photos of closed reservations, and destroys their keys. @returns also `left`: reservations with photos that stay,
   * and are due again @throws as `erase`
   */
  erasePhotos(reservations: readonly number[], by: string, isStopping?: () => boolean): Promise<ErasedPhotos>;
  /**
   * The same of all that a person drove.
   * @param text a whole name, a telephone number or a licence number
   * @throws also TooManyFoundError
   */
  eraseDriver(text: string, by: string): Promise<Erasure>;
  /** Changes nothing. It shows also what is too much for one erasure: staff find the ids of a person in it. */
  preview(wanted: Parameters<typeof previewErasure>[1]): Promise<Preview>;
}

export function createEraser(deps: EraserDeps): Eraser {
  const erase = (order: ErasureOrder) => asUnavailable(eraseAll(deps, order));
  return {
    erase,
    erasePhotos: (reservations, by, isStopping = never) =>
      asUnavailable(erasePhotos(deps, { reservations, by, isStopping })),
    eraseDriver: async (text, by) =>
      erase({ ...checkFound(await findDriver(deps, text)), by, cause: 'driver' }),
    preview: (wanted) => previewErasure(deps, wanted),
  };
}

const never = () => false;
