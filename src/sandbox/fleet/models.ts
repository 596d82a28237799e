import type { CampOption, FareInfo, ProductCarOption } from '../../platform/model.js';

/** A detail model as the service's catalogue knows it: what all cars and products of it share. */
export interface Model {
  manufacturerCd: number;
  modelCd: number;
  detailModelCd: number;
  detailModelName: string;
  carTypeName: string;
  carTypeFuelCd: number;
  fuelTypeName: string;
  gradeCd: number;
  gradeName: string;
  modelYear: number;
  displacement: number;
  seatCount: number;
}

const gasoline = { carTypeFuelCd: 1, fuelTypeName: '휘발유' };
const diesel = { carTypeFuelCd: 2, fuelTypeName: '경유' };
const electric = { carTypeFuelCd: 4, fuelTypeName: '전기' };

export const avante: Model = {
  ...gasoline,
  manufacturerCd: 1,
  modelCd: 110,
  detailModelCd: 1101,
  detailModelName: '아반떼 CN7',
  carTypeName: '준중형',
  gradeCd: 3,
  gradeName: '모던',
  modelYear: 2024,
  displacement: 1598,
  seatCount: 5,
};

export const carnival: Model = {
  ...diesel,
  manufacturerCd: 2,
  modelCd: 220,
  detailModelCd: 2204,
  detailModelName: '카니발 KA4',
  carTypeName: '승합',
  gradeCd: 5,
  gradeName: '프레스티지',
  modelYear: 2023,
  displacement: 2151,
  seatCount: 9,
};

export const ioniq: Model = {
  ...electric,
  manufacturerCd: 1,
  modelCd: 150,
  detailModelCd: 1502,
  detailModelName: '아이오닉 5',
  carTypeName: '중형 SUV',
  gradeCd: 4,
  gradeName: '익스클루시브',
  modelYear: 2025,
  displacement: 0,
  seatCount: 5,
};

export const camper: Model = {
  ...diesel,
  manufacturerCd: 1,
  modelCd: 190,
  detailModelCd: 1907,
  detailModelName: '포레스트 캠핑카',
  carTypeName: '캠핑카',
  gradeCd: 6,
  gradeName: '디럭스',
  modelYear: 2022,
  displacement: 2497,
  seatCount: 4,
};

export const morning: Model = {
  ...gasoline,
  manufacturerCd: 2,
  modelCd: 201,
  detailModelCd: 2011,
  detailModelName: '모닝 JA',
  carTypeName: '경형',
  gradeCd: 1,
  gradeName: '트렌디',
  modelYear: 2024,
  displacement: 998,
  seatCount: 5,
};

export const ray: Model = {
  ...gasoline,
  manufacturerCd: 2,
  modelCd: 202,
  detailModelCd: 2021,
  detailModelName: '레이',
  carTypeName: '경형',
  gradeCd: 2,
  gradeName: '프레스티지',
  modelYear: 2025,
  displacement: 998,
  seatCount: 5,
};

export const sonata: Model = {
  ...gasoline,
  manufacturerCd: 1,
  modelCd: 120,
  detailModelCd: 1203,
  detailModelName: '쏘나타 DN8',
  carTypeName: '중형',
  gradeCd: 4,
  gradeName: '프리미엄',
  modelYear: 2024,
  displacement: 1999,
  seatCount: 5,
};

export const sorento: Model = {
  ...diesel,
  manufacturerCd: 2,
  modelCd: 230,
  detailModelCd: 2304,
  detailModelName: '쏘렌토 MQ4',
  carTypeName: '중형 SUV',
  gradeCd: 5,
  gradeName: '노블레스',
  modelYear: 2023,
  displacement: 2151,
  seatCount: 7,
};

/** A fare plan from its daily weekday fare, in won. */
export function farePlan(fareId: number, fareName: string, daily: number): FareInfo {
  const hourly = Math.round(daily / 1200) * 100;
  return {
    fareId,
    fareName,
    baseFare: daily,
    maxFare: daily * 2,
    weekday: { daily, hourly },
    weekend: { daily: daily * 1.2, hourly: hourly * 1.2 },
  };
}

export const options: ProductCarOption[] = [
  { optionId: 1, optionName: '내비게이션', kmOption: '', selectedYn: 'Y' },
  { optionId: 2, optionName: '후방카메라', kmOption: '', selectedYn: 'Y' },
  { optionId: 3, optionName: '하이패스', kmOption: '', selectedYn: 'N' },
];

export const campOptions: CampOption[] = [
  { optionId: 51, optionName: '냉장고', selectedYn: 'Y' },
  { optionId: 52, optionName: '싱크대', selectedYn: 'Y' },
  { optionId: 53, optionName: '어닝', selectedYn: 'N' },
];
