import { z } from 'zod';
import type {
  CampOption,
  FareInfo,
  Product,
  ProductCarOption,
  Received,
  RelatedCar,
  SaleStatus,
  YesNo,
} from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentList, sentObject } from '../codecs/objects.js';
import { id, integer, yesNo } from '../codecs/values.js';
import { moment } from './moments.js';

const fares = sentObject({ daily: integer, hourly: integer }, { gap: 'G04', needs: [] });

/** G04. */
const fareInfo: Schema<Received<FareInfo>> = sentObject(
  {
    fareId: id,
    fareName: z.string(),
    baseFare: integer,
    maxFare: integer,
    weekday: fares,
    weekend: fares,
  },
  { gap: 'G04', needs: [] },
);

/** G05. */
const carOption: Schema<Received<ProductCarOption>> = sentObject(
  {
    optionId: id,
    optionName: z.string(),
    kmOption: z.string(),
    selectedYn: yesNo,
  },
  { gap: 'G05', needs: [] },
);

const campOption: Schema<Received<CampOption>> = sentObject(
  {
    optionId: id,
    optionName: z.string(),
    selectedYn: yesNo,
  },
  { gap: 'G05', needs: [] },
);

/** G03. */
export const product: Schema<Received<Product>> = sentObject(
  {
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
    productCarOptionList: sentList(carOption),
    productCarCampOptionList: sentList(campOption).exactOptional(),
  },
  {
    gap: 'G03',
    gaps: { basicSectionFareInfo: 'G04', productCarOptionList: 'G05', productCarCampOptionList: 'G05' },
    needs: [],
  },
);

/** G10. */
export const relatedCar: Schema<Received<RelatedCar>> = sentObject(
  {
    carId: id,
    carNumber: z.string(),
    detailModelName: z.string(),
    saleYn: yesNo,
  },
  { gap: 'G10', needs: [] },
);

/** G17: body of sale_status. */
export const saleChoice: Schema<{ saleYn: YesNo }> = z.object({ saleYn: yesNo });

/** G17: its answer. */
export const saleStatus: Schema<Received<SaleStatus>> = sentObject(
  { productId: id, carId: id, saleYn: yesNo },
  { gap: 'G17', needs: [] },
);
