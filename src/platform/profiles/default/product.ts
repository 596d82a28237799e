import { z } from 'zod';
import type {
  CampOption,
  FareInfo,
  Product,
  ProductCarOption,
  RelatedCar,
  SaleStatus,
  YesNo,
} from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import { id, integer, yesNo } from '../codecs/values.js';
import { moment } from './moments.js';

const fares = sentObject({ daily: integer, hourly: integer });

/** G04. */
const fareInfo: Schema<FareInfo> = sentObject({
  fareId: id,
  fareName: z.string(),
  baseFare: integer,
  maxFare: integer,
  weekday: fares,
  weekend: fares,
});

/** G05. */
const carOption: Schema<ProductCarOption> = sentObject({
  optionId: id,
  optionName: z.string(),
  kmOption: z.string(),
  selectedYn: yesNo,
});

const campOption: Schema<CampOption> = sentObject({
  optionId: id,
  optionName: z.string(),
  selectedYn: yesNo,
});

/** G03. */
export const product: Schema<Product> = sentObject({
  productId: id,
  productName: z.string(),
  manufacturerCd: integer,
  seatCount: integer,
  modelCd: integer,
  detailModelCd: integer,
  detailModelName: z.string(),
  carTypeFuelCd: integer,
  fuelTypeName: z.string(),
  insuranceAge: z.enum(['O', 'S']),
  licenseType: z.enum(['O', 'T', 'H']),
  fareId: id,
  modifierName: z.string(),
  modifiedAt: moment,
  productApproveStatus: z.literal([0, 1]),
  basicSectionFareInfo: fareInfo,
  productCarOptionList: z.array(carOption),
  productCarCampOptionList: z.array(campOption).exactOptional(),
});

/** G10. */
export const relatedCar: Schema<RelatedCar> = sentObject({
  carId: id,
  carNumber: z.string(),
  detailModelName: z.string(),
  saleYn: yesNo,
});

/** G17: body of sale_status. */
export const saleChoice: Schema<{ saleYn: YesNo }> = z.object({ saleYn: yesNo });

/** G17: its answer. */
export const saleStatus: Schema<SaleStatus> = sentObject({ productId: id, carId: id, saleYn: yesNo });
