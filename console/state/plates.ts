import { endpoints } from '../api/endpoints.js';
import { readPages } from '../api/read-pages.js';
import { type Resource, useResource } from './resource.js';

const mostPages = 4;

/** Plates by car id, of as many cars as the screen Cars reads. */
export function usePlates(): Resource<ReadonlyMap<number, string | null>> {
  return useResource<ReadonlyMap<number, string | null>>('plates', {
    load: async () => {
      const { items } = await readPages(endpoints.cars, {}, { mostPages });
      return new Map(items.map(({ carId, carNumber }) => [carId, carNumber]));
    },
    concerns: () => false,
  });
}
