import type { Fleet } from './fleet.js';
import { campOptions, farePlan, type Model, options } from './models.js';

const seededAt = Date.parse('2026-01-05T00:00:00Z');
const modifier = { modifierName: '시드', modifiedAt: seededAt };

/** The details of a car that its model decides. The VIN has letters that a real one never has. */
export function detailsOf(
  carId: number,
  {
    fuelTypeName,
    gradeCd,
    gradeName,
    carTypeName,
    modelYear,
    displacement,
    seatCount,
  }: Omit<Model, 'manufacturerCd' | 'modelCd' | 'detailModelCd'>,
) {
  return {
    fuelTypeName,
    gradeCd,
    gradeName,
    carTypeName,
    modelYear,
    displacement,
    seatCount,
    vin: `KMHSANDBOX0${serialOf(carId)}`,
    colour: '흰색',
    registrationDate: `${modelYear}-03-02`,
  };
}

const serialOf = (carId: number) => String(carId).padStart(6, '0');

/** A car as the web site would have it. */
export function car(
  carId: number,
  companyId: number,
  carNumber: string,
  model: Model,
): Fleet['cars'][number] {
  return {
    carId,
    companyId,
    carNumber,
    detailModelName: model.detailModelName,
    carTypeFuelCd: model.carTypeFuelCd,
    deviceEquipYn: 'Y',
    details: {
      ...modifier,
      ...detailsOf(carId, model),
      simNumber: `8982000000000${serialOf(carId)}`,
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
