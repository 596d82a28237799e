import type { Role } from '../../contract/role.js';
import type { KnownProduct } from '../../platform/catalogue/catalogue.js';
import { whyUnknown } from '../../platform/needed.js';
import type { ProductFilter } from '../../platform/profile.js';
import { setAge } from '../http/aged.js';
import { oneQuery } from '../http/catalogue-fields.js';
import type { Api, RouteContext } from '../http/context.js';
import { pageAfter } from '../http/page.js';
import { chooseRole } from '../http/platform-roles.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { toReadProblem } from '../http/read-problem.js';
import { viewsFor } from '../http/views.js';
import { message } from '../messages/message.js';
import { productDetail, productList, productParams, productsQuery } from './schemas.js';

const approved = 1 as const;

/**
 * GET /api/products: what can be booked, and with which cars; a channel sees approved products only (F25).
 * Not by `listRoute`, which pages rows of the store: a list of the platform is read whole, and has an age.
 */
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
      const { as: wantedRole, cursor, limit, fareId, ...filter } = request.query;
      const as = chooseRole(roles, wantedRole);
      const status = as === 'channel' ? approved : filter.productApproveStatus;
      const wanted = { ...filter, ...(status !== undefined && { productApproveStatus: status }) };
      const reading =
        fareId === undefined ? catalogue.products(as, wanted) : catalogue.productsOfFare(as, fareId);
      const read = await reading.catch((error: unknown) => {
        throw toReadProblem(error, 'PRODUCT_NOT_FOUND', { what: 'fare plan', id: fareId ?? null });
      });
      const { items: all } = read.value;
      // a channel that requests those awaiting approval is shown none
      const fits = all.filter((product) => isWanted(product, wanted) && isWanted(product, filter));
      const unreadable = read.value.unreadable + all.filter((product) => isUnsure(product, wanted)).length;
      const page = { limit, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = pageAfter(fits, ({ productId }) => productId, page);
      const show = viewsFor(request, write);
      return { items: items.map(show.product), nextCursor, unreadable, ...setAge(reply, write, read) };
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
      const as = chooseRole(roles, request.query.as);
      const [product, cars] = await Promise.all([
        catalogue.product(as, id),
        catalogue.relatedCars(as, id),
      ]).catch((error: unknown) => {
        throw toReadProblem(error, 'PRODUCT_NOT_FOUND', { what: 'product', id });
      });
      if (as === 'channel' && product.value.productApproveStatus === null) {
        throw unreadableApproval(product.value);
      }
      if (!isShown(as, product.value)) {
        throw new Problem('PRODUCT_NOT_FOUND', message('api.no-product', { id }));
      }
      const show = viewsFor(request, write);
      return { ...show.product(product.value), cars: cars.value, ...setAge(reply, write, product, cars) };
    },
  );
}

type Filter = Pick<ProductFilter, 'productApproveStatus' | 'productName' | 'detailModelName'>;

/** The platform reads the products of a fare plan without filters, and may ignore those of the list. */
function isWanted(product: KnownProduct, filter: Filter): boolean {
  return namesOf(filter).every((name) => product[name] === filter[name]);
}

/** No readable field contradicts the filter, and an unreadable one might. */
function isUnsure(product: KnownProduct, filter: Filter): boolean {
  const others = namesOf(filter).filter((name) => product[name] !== filter[name]);
  return others.length > 0 && others.every((name) => product[name] === null);
}

function namesOf(filter: Filter) {
  const known = ['productApproveStatus', 'productName', 'detailModelName'] as const;
  return known.filter((name) => filter[name] !== undefined);
}

/** F25: a channel is not shown a product whose approval is unknown. */
function unreadableApproval(product: KnownProduct): Problem {
  const text = whyUnknown('getProduct', product, 'productApproveStatus');
  const detail = message('api.platform-unreadable', { code: 'UNREADABLE', text });
  return new Problem('PLATFORM_UNREADABLE', detail, { members: { platformCode: 'UNREADABLE' } });
}

function isShown(as: Role, { productApproveStatus }: KnownProduct): boolean {
  return as === 'supplier' || productApproveStatus === approved;
}
