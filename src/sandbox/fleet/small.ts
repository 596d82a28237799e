import type { Fleet } from './fleet.js';
import { avante, camper, carnival, ioniq } from './models.js';
import { car, product } from './rows.js';

const plates: Record<number, readonly string[]> = {
  301: ['12가3456', '12가3457', '34나1024', '34나1025'],
  302: ['56다7801', '56다7802', '56다7803'],
  303: ['78라2310', '78라2311', '78라2312'],
  304: ['90마5501', '90마5502'],
};

const sold = [
  {
    productId: 301,
    companyId: 11,
    fareId: 701,
    name: '아반떼 데일리',
    model: avante,
    daily: 58_000,
    approved: true,
  },
  {
    productId: 302,
    companyId: 11,
    fareId: 702,
    name: '카니발 패밀리',
    model: carnival,
    daily: 124_000,
    approved: true,
  },
  {
    productId: 303,
    companyId: 12,
    fareId: 703,
    name: '아이오닉 5 시티',
    model: ioniq,
    daily: 96_000,
    approved: true,
  },
  {
    productId: 304,
    companyId: 12,
    fareId: 704,
    name: '포레스트 캠핑',
    model: camper,
    daily: 210_000,
    approved: false,
    camping: true,
  },
];

const fleetCars = sold.flatMap(({ productId, companyId, model }) =>
  (plates[productId] ?? []).map((plate, index) => ({
    productId,
    car: car((productId - 300) * 1000 + index + 1, companyId, plate, model),
  })),
);

/**
 * Twelve cars of two companies. Company 11: product 301 with cars 1001-1004, product 302 with 2001-2003; company
 * 12: product 303 with 3001-3003, and 304, a camping car that still awaits approval, with 4001-4002.
 */
export const small: Fleet = {
  companies: [
    { companyId: 11, companyName: '한빛렌터카' },
    { companyId: 12, companyName: '누리렌터카' },
  ],
  cars: fleetCars.map((item) => item.car),
  products: sold.map(({ productId, companyId, fareId, ...rest }) =>
    product({ productId, companyId, fareId }, rest),
  ),
  productCars: fleetCars.map(({ productId, car: { carId } }) => ({ productId, carId, saleYn: 'Y' })),
};
