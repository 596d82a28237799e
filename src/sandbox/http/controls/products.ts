import { z } from 'zod';
import { anyText, id, integer, text, yesNo } from '../../../platform/profiles/codecs/values.js';
import { approveProduct, createProduct, deleteProduct, editProduct } from '../../actions/web-products.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { findProducts, findRelatedCars } from '../../store/fleet.js';
import { byId, iso } from './moment.js';
import type { ControlScope } from './scope.js';

const won = integer.min(0);
const fares = z.strictObject({ daily: won, hourly: won });
const farePlan = z.union(
  [
    z.strictObject({ fareId: id }),
    z.strictObject({ fareName: text, baseFare: won, maxFare: won, weekday: fares, weekend: fares }),
  ],
  'expected { fareId } of a fare plan that there is, or { fareName, baseFare, maxFare, weekday: { daily, hourly }, weekend } for a new one',
);
const option = { optionId: id, optionName: text, selectedYn: yesNo };

/** What the product's operating policy has beside name, cars and fare plan (specification, Product). */
const policies = z.strictObject({
  insuranceAge: z.enum(['O', 'S']).exactOptional(),
  licenseType: z.enum(['O', 'T', 'H']).exactOptional(),
  manufacturerCd: integer.exactOptional(),
  modelCd: integer.exactOptional(),
  detailModelCd: integer.exactOptional(),
  modifierName: text.exactOptional(),
  productCarOptionList: z
    .array(z.strictObject({ ...option, kmOption: anyText }))
    .max(200)
    .exactOptional(),
  productCarCampOptionList: z.array(z.strictObject(option)).max(200).exactOptional(),
});
const form = { productName: text, carIds: z.array(id).min(1).max(1000), farePlan };
const creation = z.strictObject({ businessLicenseId: id, ...form, policies: policies.default({}) });
const edit = z.strictObject({
  productName: form.productName.exactOptional(),
  carIds: form.carIds.exactOptional(),
  farePlan: farePlan.exactOptional(),
  policies: policies.exactOptional(),
});

/** Products, as the web site manages them: no API of the platform does (specification, Product operations). */
export function registerProducts(scope: ControlScope, sandbox: Sandbox): void {
  scope.post('/products', { schema: { body: creation } }, async ({ body }) => {
    const { businessLicenseId, ...product } = body;
    return readView(await createProduct(sandbox, businessLicenseId, product));
  });
  scope.put('/products/:id', { schema: { params: byId, body: edit } }, async ({ params, body }) => {
    await editProduct(sandbox, params.id, body);
    return readView(params.id);
  });
  scope.delete(
    '/products/:id',
    { config: { success: 204 }, schema: { params: byId } },
    async ({ params }, reply) => {
      await deleteProduct(sandbox, params.id);
      return reply.code(204).send();
    },
  );
  scope.post('/products/:id/approve', { schema: { params: byId } }, async ({ params }) => {
    await approveProduct(sandbox, params.id);
    return readView(params.id);
  });

  async function readView(productId: number) {
    const one = { after: 0, limit: 1 };
    const [product] = await findProducts(sandbox.db, undefined, { productId }, one);
    if (!product) throw new Refusal('NOT_FOUND', `there is no product ${productId}`);
    const cars = await findRelatedCars(sandbox.db, productId, { after: 0, limit: 1000 });
    return { ...product, modifiedAt: iso(product.modifiedAt), cars };
  }
}
