import { send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Product } from '../api/types.js';
import { type Resource, useResource } from './resource.js';

/** The first products of the platform. */
export function useProducts(): Resource<Product[]> {
  return useResource('products', {
    load: async () => (await send(endpoints.products, { query: { limit: 500 } })).body.items,
    concerns: () => false,
  });
}
