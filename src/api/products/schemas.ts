import { z } from 'zod';
import { aged, list, modified, paging, searched, view } from '../http/catalogue-fields.js';
import { idText } from '../http/fields.js';
import { expected } from '../messages/expected.js';

export const productsQuery = z.strictObject({
  ...view,
  productApproveStatus: z
    .enum(['0', '1'], { error: expected('field.approval', {}) })
    .transform((text): 0 | 1 => (text === '1' ? 1 : 0))
    .exactOptional(),
  productName: searched,
  detailModelName: searched,
  fareId: idText.exactOptional().describe('Products of one fare plan'),
  ...paging,
});

export const productParams = z.object({ id: idText.describe('Product id') });
/** What the platform wrote otherwise than the wire profile has it is null: unknown. */
const fares = z.object({ daily: z.number().nullable(), hourly: z.number().nullable() }).nullable();
const option = {
  optionId: z.int().nullable(),
  optionName: z.string().nullable(),
  selectedYn: z.string().nullable(),
};
const product = z.object({
  productId: z.int(),
  productName: z.string().nullable(),
  manufacturerCd: z.int().nullable(),
  seatCount: z.int().nullable(),
  modelCd: z.int().nullable(),
  detailModelCd: z.int().nullable(),
  detailModelName: z.string().nullable(),
  carTypeFuelCd: z.int().nullable(),
  fuelTypeName: z.string().nullable(),
  insuranceAge: z.string().nullable(),
  licenseType: z.string().nullable(),
  fareId: z.int().nullable(),
  ...modified,
  productApproveStatus: z.int().nullable(),
  basicSectionFareInfo: z
    .object({
      fareId: z.int().nullable(),
      fareName: z.string().nullable(),
      baseFare: z.number().nullable(),
      maxFare: z.number().nullable(),
      weekday: fares,
      weekend: fares,
    })
    .nullable(),
  productCarOptionList: z.array(z.object({ ...option, kmOption: z.string().nullable() })).nullable(),
  productCarCampOptionList: z.array(z.object(option)).nullable().optional(),
});

export const productList = list(product).describe(
  'Products in ascending id, a channel sees approved ones only',
);
export const productDetail = product
  .extend({
    cars: z.array(
      z.object({
        carId: z.int().nullable(),
        carNumber: z.string().nullable(),
        detailModelName: z.string().nullable(),
        saleYn: z.string().nullable(),
      }),
    ),
    ...aged,
  })
  .describe('One product with its fares, options and cars');
