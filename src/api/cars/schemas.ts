import { z } from 'zod';
import { holdList } from '../holds/schemas.js';
import { aged, list, modified, paging, searched, view, yesNo } from '../http/catalogue-fields.js';
import { countText, idText, moment, words } from '../http/fields.js';

export const carsQuery = z.strictObject({
  ...view,
  carNumber: searched,
  businessLicenseId: idText.exactOptional(),
  carTypeFuelCd: countText.exactOptional(),
  deviceEquipYn: yesNo.exactOptional(),
  ...paging,
});

export const carParams = z.object({ id: idText.describe('Car id') });

export const car = z.object({
  carId: z.int(),
  businessLicenseId: z.int().nullable(),
  businessName: z.string().nullable(),
  carNumber: z.string().nullable(),
  carTypeFuelCd: z.int().nullable(),
  fuelTypeName: z.string().nullable(),
  gradeCd: z.int().nullable(),
  gradeName: z.string().nullable(),
  carTypeName: z.string().nullable(),
  modelYear: z.int().nullable(),
  detailModelName: z.string().nullable(),
  displacement: z.int().nullable(),
  seatCount: z.int().nullable(),
  vin: z.string().nullable(),
  colour: z.string().nullable(),
  registrationDate: z.string().nullable(),
  ...modified,
  simNumber: z.string().nullable(),
  registrationFile: z
    .object({ fileId: z.int().nullable(), fileName: z.string().nullable() })
    .nullable()
    .optional(),
  carOptionList: z
    .array(
      z.object({
        optionKey1: z.string().nullable(),
        optionNm1: z.string().nullable(),
        optionKey2: z.string().nullable(),
        optionNm2: z.string().nullable(),
        optionKey3: z.string().nullable(),
        optionNm3: z.string().nullable(),
        optionValue: z.string().nullable(),
      }),
    )
    .nullable(),
  deviceEquipYn: z.string().nullable(),
});

export const carList = list(car).describe('Cars in ascending id');

const reservation = z.object({
  reservationId: z.int(),
  status: z.object({ code: z.int().nullable(), name: z.string() }),
  period: z.object({ start: moment, end: moment }).nullable(),
});

export const carDetail = car
  .extend({
    schedule: z
      .array(
        z.object({
          scheduleId: z.int().nullable(),
          scheduleType: z.string().nullable(),
          startAt: moment.nullable(),
          endAt: moment.nullable(),
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
          memoId: z.int().nullable(),
          content: z.string().nullable().describe('Null for viewers'),
          writerName: z.string().nullable().describe('Null for viewers'),
          createdAt: moment.nullable(),
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

export const saleStatusParams = z.object({
  id: idText.describe('Product id'),
  carId: idText.describe('Car id'),
});

export const saleStatusBody = z.strictObject({
  saleYn: yesNo,
  reason: words(500).describe('Why; stored in the audit'),
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
  .describe('A write on a car; `out`: its outcome is not known yet');
