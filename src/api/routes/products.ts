import type { Role } from '../../contract/role.js';
import { Problem } from '../../http/problem.js';
import type { Product } from '../../platform/model.js';
import { aged } from '../aged.js';
import { oneQuery, productDetail, productList, productParams, productsQuery } from '../schemas/catalogue.js';
import { problems } from '../schemas/problem.js';
import { pageAfter, showerFor } from '../shown.js';
import { unread, viewAs } from '../unread.js';
import type { Api, RouteContext } from './context.js';

const approved = 1 as const;

/** GET /api/products: what can be booked, and with which cars; a channel sees approved products only (F25). */
export function productRoutes(api: Api, { deps, write, requires }: RouteContext): void {
  const { roles, catalogue } = deps.fleet;
  const tags = ['fleet'];

  api.get(
    '/api/products',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'Products',
        tags,
        querystring: productsQuery,
        response: { 200: productList, ...problems },
      },
    },
    async (request, reply) => {
      const { as: asked, cursor, limit, fareId, ...filter } = request.query;
      const as = viewAs(roles, asked);
      if (as === 'channel' && filter.productApproveStatus === 0) throw notForChannels();
      const status = as === 'channel' ? approved : filter.productApproveStatus;
      const wanted = { ...filter, ...(status !== undefined && { productApproveStatus: status }) };
      const reading =
        fareId === undefined ? catalogue.products(as, wanted) : catalogue.productsOfFare(as, fareId);
      const read = await reading.catch((error: unknown) => {
        throw unread(error, 'PRODUCT_NOT_FOUND', `fare plan ${fareId}`);
      });
      // a platform may know more products of a fare plan than it was asked for, or take no notice of a filter
      const fits = read.value.filter(
        ({ productApproveStatus }) => (status ?? productApproveStatus) === productApproveStatus,
      );
      const page = { limit, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = pageAfter(fits, ({ productId }) => productId, page);
      const show = showerFor(request, write);
      return { items: items.map(show.product), nextCursor, ...aged(reply, write, read) };
    },
  );

  api.get(
    '/api/products/:id',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'One product with its fares, options and cars',
        tags,
        params: productParams,
        querystring: oneQuery,
        response: { 200: productDetail, ...problems },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const as = viewAs(roles, request.query.as);
      const [product, cars] = await Promise.all([
        catalogue.product(as, id),
        catalogue.relatedCars(as, id),
      ]).catch((error: unknown) => {
        throw unread(error, 'PRODUCT_NOT_FOUND', `product ${id}`);
      });
      if (!isShown(as, product.value)) {
        throw new Problem('PRODUCT_NOT_FOUND', `The platform shows no product ${id}.`);
      }
      const show = showerFor(request, write);
      return { ...show.product(product.value), cars: cars.value, ...aged(reply, write, product, cars) };
    },
  );
}

function isShown(as: Role, { productApproveStatus }: Product): boolean {
  return as === 'supplier' || productApproveStatus === approved;
}

function notForChannels(): Problem {
  return new Problem('INVALID_QUERY', 'productApproveStatus: a channel sees approved products only');
}
