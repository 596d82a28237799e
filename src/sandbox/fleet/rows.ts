import type { Fleet } from './fleet.js';
import { campOptions, farePlan, type Model, options } from './models.js';

const seededAt = Date.parse('2026-01-05T00:00:00Z');
const modifier = { modifierName: '시드', modifiedAt: seededAt };

/** A car as the web site would have it. Its VIN holds letters that a real one never does. */
export function car(
  carId: number,
  companyId: number,
  carNumber: string,
  model: Model,
): Fleet['cars'][number] {
  const { detailModelName, carTypeFuelCd, fuelTypeName, gradeCd, gradeName, carTypeName } = model;
  const { modelYear, displacement, seatCount } = model;
  const serial = String(carId).padStart(6, '0');
  return {
    carId,
    companyId,
    carNumber,
    detailModelName,
    carTypeFuelCd,
    deviceEquipYn: 'Y',
    details: {
      ...modifier,
      fuelTypeName,
      gradeCd,
      gradeName,
      carTypeName,
      modelYear,
      displacement,
      seatCount,
      vin: `KMHSANDBOX0${serial}`,
      colour: '흰색',
      registrationDate: `${modelYear}-03-02`,
      simNumber: `8982000000000${serial}`,
      registrationFile: { fileId: 90_000 + carId, fileName: `registration-${carId}.pdf` },
      carOptionList: [
        {
          optionKey1: 'A',
          optionNm1: '편의',
          optionKey2: 'A1',
          optionNm2: '운전',
          optionKey3: 'A11',
          optionNm3: '스마트크루즈컨트롤',
          optionValue: 'Y',
        },
      ],
    },
  };
}

/** A product with a fare plan of its own. */
export function product(
  ids: { productId: number; companyId: number; fareId: number },
  sold: { name: string; model: Model; daily: number; approved: boolean; camping?: boolean },
): Fleet['products'][number] {
  const { detailModelName, carTypeFuelCd, fuelTypeName, seatCount } = sold.model;
  const { manufacturerCd, modelCd, detailModelCd } = sold.model;
  return {
    ...ids,
    productName: sold.name,
    detailModelName,
    carTypeFuelCd,
    approveStatus: sold.approved ? 1 : 0,
    details: {
      ...modifier,
      manufacturerCd,
      seatCount,
      modelCd,
      detailModelCd,
      fuelTypeName,
      insuranceAge: sold.camping ? 'S' : 'O',
      licenseType: seatCount > 8 ? 'O' : 'T',
      basicSectionFareInfo: farePlan(ids.fareId, `${sold.name} 요금`, sold.daily),
      productCarOptionList: options,
      ...(sold.camping && { productCarCampOptionList: campOptions }),
    },
  };
}
