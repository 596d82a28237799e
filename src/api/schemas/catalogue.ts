import { z } from 'zod';
import { idText, pageLimit, rowCursor, words } from './fields.js';
import { holdList } from './holds.js';

const yesNo = z.enum(['Y', 'N'], { error: 'expected Y or N' });
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number)
  .exactOptional();
const searched = words(100).exactOptional();

const view = {
  as: z
    .enum(['supplier', 'channel'], { error: 'expected supplier or channel' })
    .exactOptional()
    .describe("Whose view: the rental company's where the deployment is one, else the channel's"),
};
const paging = { cursor: rowCursor, limit: pageLimit };

export const oneQuery = z.strictObject(view);

export const productsQuery = z
  .strictObject({
    ...view,
    productApproveStatus: z
      .enum(['0', '1'], { error: 'expected 0 (awaiting approval) or 1 (approved)' })
      .transform((text): 0 | 1 => (text === '1' ? 1 : 0))
      .exactOptional(),
    productName: searched,
    detailModelName: searched,
    fareId: idText.exactOptional().describe('Products of one fare plan; alone, or with productApproveStatus'),
    ...paging,
  })
  .refine(
    ({ fareId, productName, detailModelName }) =>
      fareId === undefined || (productName === undefined && detailModelName === undefined),
    { path: ['fareId'], message: 'expected without productName and detailModelName' },
  );

export const carsQuery = z.strictObject({
  ...view,
  carNumber: searched,
  businessLicenseId: idText.exactOptional(),
  carTypeFuelCd: wholeNumber,
  deviceEquipYn: yesNo.exactOptional(),
  ...paging,
});

export const productParams = z.object({ id: idText.describe('Product id') });
export const carParams = z.object({ id: idText.describe('Car id') });

/** What every answer says of its age. */
const aged = {
  asOf: z.string().describe('When the platform was read; of several readings the oldest'),
  ageSeconds: z.int(),
  staleBecause: z
    .string()
    .nullable()
    .describe('Why it is older than it should be: code of the last failed reading'),
};
const list = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), ...aged });

const fares = z.object({ daily: z.number(), hourly: z.number() });
const option = { optionId: z.int(), optionName: z.string(), selectedYn: z.string() };
const modified = {
  modifierName: z.string().nullable().describe('Null for viewers'),
  modifiedAt: z.string(),
};

const product = z.object({
  productId: z.int(),
  productName: z.string(),
  manufacturerCd: z.int(),
  seatCount: z.int(),
  modelCd: z.int(),
  detailModelCd: z.int(),
  detailModelName: z.string(),
  carTypeFuelCd: z.int(),
  fuelTypeName: z.string(),
  insuranceAge: z.string(),
  licenseType: z.string(),
  fareId: z.int(),
  ...modified,
  productApproveStatus: z.int(),
  basicSectionFareInfo: z.object({
    fareId: z.int(),
    fareName: z.string(),
    baseFare: z.number(),
    maxFare: z.number(),
    weekday: fares,
    weekend: fares,
  }),
  productCarOptionList: z.array(z.object({ ...option, kmOption: z.string() })),
  productCarCampOptionList: z.array(z.object(option)).optional(),
});

const car = z.object({
  carId: z.int(),
  businessLicenseId: z.int(),
  businessName: z.string(),
  carNumber: z.string(),
  carTypeFuelCd: z.int(),
  fuelTypeName: z.string(),
  gradeCd: z.int(),
  gradeName: z.string(),
  carTypeName: z.string(),
  modelYear: z.int(),
  detailModelName: z.string(),
  displacement: z.int(),
  seatCount: z.int(),
  vin: z.string(),
  colour: z.string(),
  registrationDate: z.string(),
  ...modified,
  simNumber: z.string(),
  registrationFile: z.object({ fileId: z.int(), fileName: z.string() }).optional(),
  carOptionList: z.array(
    z.object({
      optionKey1: z.string(),
      optionNm1: z.string(),
      optionKey2: z.string(),
      optionNm2: z.string(),
      optionKey3: z.string(),
      optionNm3: z.string(),
      optionValue: z.string(),
    }),
  ),
  deviceEquipYn: z.string(),
});

export const productList = list(product).describe(
  'Products in ascending id, a channel sees approved ones only',
);
export const carList = list(car).describe('Cars in ascending id');

export const productDetail = product
  .extend({
    cars: z.array(
      z.object({ carId: z.int(), carNumber: z.string(), detailModelName: z.string(), saleYn: z.string() }),
    ),
    ...aged,
  })
  .describe('One product with its fares, options and cars');

const reservation = z.object({
  reservationId: z.int(),
  status: z.object({ code: z.int().nullable(), name: z.string() }),
  period: z.object({ start: z.string(), end: z.string() }).nullable(),
});

export const carDetail = car
  .extend({
    schedule: z
      .array(
        z.object({
          scheduleId: z.int(),
          scheduleType: z.string(),
          startAt: z.string(),
          endAt: z.string(),
          reason: z.string().nullable().describe('Null for viewers'),
        }),
      )
      .nullable()
      .describe('Of today, in the service’s zone'),
    currentReservation: reservation.nullable().describe('Whose car it is now'),
    holds: holdList.shape.items.nullable().describe('Those that are open'),
    memos: z
      .array(
        z.object({
          memoId: z.int(),
          content: z.string().nullable().describe('Null for viewers'),
          writerName: z.string().nullable().describe('Null for viewers'),
          createdAt: z.string(),
        }),
      )
      .nullable()
      .describe('The newest 100, newest first'),
    missing: z
      .array(
        z.object({ part: z.enum(['schedule', 'currentReservation', 'holds', 'memos']), code: z.string() }),
      )
      .describe(
        'Parts that could not be read just now, and why; a channel is not shown schedule, holds and memos',
      ),
    ...aged,
  })
  .describe('One car with what concerns it today');

export const assignedCar = z
  .object({
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    display: z.enum(['assigned-car', 'in-use']),
    car,
    parking: z.object({
      memo: z.string().nullable(),
      imageUrl: z.string().nullable().describe('As it came: check it before anybody opens it'),
      lotType: z.int().nullable(),
    }),
    ...aged,
  })
  .describe('The car that a channel shows its customer; where it stands is null for viewers');

export const saleStatusParams = z.object({
  id: idText.describe('Product id'),
  carId: idText.describe('Car id'),
});
export const saleStatusBody = z.strictObject({
  saleYn: yesNo,
  reason: words(500).describe('Why; kept in the audit'),
});
export const saleStatus = z
  .object({
    productId: z.int(),
    carId: z.int(),
    saleYn: z.string(),
    before: z.string().describe('As it was read first'),
    commandId: z.string(),
  })
  .describe('The platform has it so');

export const memoBody = z.strictObject({ content: words(1000) });
export const memoWritten = z
  .object({ carId: z.int(), memoId: z.int(), commandId: z.string() })
  .describe('Written');

export const writeParams = z.object({ commandId: z.string().max(128).describe('Its Idempotency-Key') });
export const carWrite = z
  .object({
    commandId: z.string(),
    outcome: z.enum(['out', 'applied', 'rejected', 'unknown']),
    code: z.string().nullable().describe('What went wrong, where something did'),
    message: z.string().nullable(),
  })
  .describe('A write on a car; `out`: nobody knows yet');
