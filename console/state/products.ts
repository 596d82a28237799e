import { send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Product } from '../api/types.js';
import { type Resource, useResource } from './resource.js';

/** The first products of the platform, or of a model. */
export function useProducts(detailModelName?: string): Resource<Product[]> {
  return useResource(`products ${detailModelName ?? ''}`, {
    load: async () => (await send(endpoints.products, { query: { detailModelName, limit: 500 } })).body.items,
    concerns: () => false,
  });
}
