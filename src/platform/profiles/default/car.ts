import { z } from 'zod';
import type { Car, CarMemo, CarMemoRequest, CarOption } from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import { calendarDate, id, integer, text, yesNo } from '../codecs/values.js';
import { moment } from './moments.js';

const carOption: Schema<CarOption> = sentObject({
  optionKey1: z.string(),
  optionNm1: z.string(),
  optionKey2: z.string(),
  optionNm2: z.string(),
  optionKey3: z.string(),
  optionNm3: z.string(),
  optionValue: yesNo,
});

/** G06. */
export const car: Schema<Car> = sentObject({
  carId: id,
  businessLicenseId: id,
  businessName: z.string(),
  carNumber: z.string(),
  carTypeFuelCd: integer,
  fuelTypeName: z.string(),
  gradeCd: integer,
  gradeName: z.string(),
  carTypeName: z.string(),
  modelYear: integer,
  detailModelName: z.string(),
  displacement: integer,
  seatCount: integer,
  vin: z.string(),
  colour: z.string(),
  registrationDate: calendarDate,
  modifierName: z.string(),
  modifiedAt: moment,
  simNumber: z.string(),
  registrationFile: sentObject({ fileId: id, fileName: z.string() }).exactOptional(),
  carOptionList: z.array(carOption),
  deviceEquipYn: yesNo,
});

/** G07. */
export const carMemo: Schema<CarMemo> = sentObject({
  memoId: id,
  carId: id,
  content: z.string(),
  writerName: z.string(),
  createdAt: moment,
});

/** G07. */
export const carMemoRequest: Schema<CarMemoRequest> = z.object({
  content: text,
  writerName: text.exactOptional(),
});
