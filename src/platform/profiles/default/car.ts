import { z } from 'zod';
import type { Car, CarMemo, CarMemoRequest, CarOption, Received } from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentList, sentObject } from '../codecs/objects.js';
import { calendarDate, id, integer, text, yesNo } from '../codecs/values.js';
import { moment } from './moments.js';

const carOption: Schema<Received<CarOption>> = sentObject(
  {
    optionKey1: z.string(),
    optionNm1: z.string(),
    optionKey2: z.string(),
    optionNm2: z.string(),
    optionKey3: z.string(),
    optionNm3: z.string(),
    optionValue: yesNo,
  },
  { gap: 'G06', needs: [] },
);

/** G06. */
export const car: Schema<Received<Car>> = sentObject(
  {
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
    registrationFile: sentObject(
      { fileId: id, fileName: z.string() },
      { gap: 'G06', needs: [] },
    ).exactOptional(),
    carOptionList: sentList(carOption),
    deviceEquipYn: yesNo,
  },
  { gap: 'G06', needs: [] },
);

/** G07. */
export const carMemo: Schema<Received<CarMemo>> = sentObject(
  {
    memoId: id,
    carId: id,
    content: z.string(),
    writerName: z.string(),
    createdAt: moment,
  },
  { gap: 'G07', needs: [] },
);

/** G07. */
export const carMemoRequest: Schema<CarMemoRequest> = z.object({
  content: text,
  writerName: text.exactOptional(),
});
