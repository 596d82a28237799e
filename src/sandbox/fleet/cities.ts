import type { Fleet } from './fleet.js';
import { avante, camper, carnival, ioniq, morning, ray, sonata, sorento } from './models.js';
import { car, product } from './rows.js';

/** Models for rent in a city, and their price for a day in won. */
const line = [
  { model: morning, daily: 42_000 },
  { model: ray, daily: 48_000 },
  { model: avante, daily: 58_000 },
  { model: sonata, daily: 79_000 },
  { model: sorento, daily: 112_000 },
  { model: carnival, daily: 124_000 },
  { model: ioniq, daily: 96_000 },
  { model: camper, daily: 210_000, camping: true },
];
const places = ['강남', '홍대', '김포공항', '서울역', '잠실', '여의도', '수원', '인천공항', '판교', '일산'];
const names = ['한빛', '누리', '가온', '다솜', '미르', '보람', '새벽', '아름', '초롱', '하늘'];
const letters = ['하', '허', '호'];

/** The letters of rental cars. No plate comes twice, for 7919 shares no factor with 10,000. */
function plate(index: number): string {
  const serial = String((index * 7919) % 10_000).padStart(4, '0');
  return `${10 + ((index * 13) % 90)}${letters[index % letters.length]}${serial}`;
}

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * A fleet of any size up to 10,000 cars. Companies count from 11, products from 301, fare plans from 701, cars from
 * 10001; product n belongs to company n modulo the companies, car n is of product n modulo the products. All products
 * are approved and all cars on sale.
 */
export function cityOf(size: { cars: number; products: number; companies: number }): Fleet {
  const companies = Array.from({ length: size.companies }, (_each, index) => ({
    companyId: 11 + index,
    companyName: `${at(names, index)}렌터카`,
  }));
  const ids = (index: number) => ({
    productId: 301 + index,
    companyId: 11 + (index % size.companies),
    fareId: 701 + index,
  });
  const products = Array.from({ length: size.products }, (_each, index) => {
    const sold = at(line, index);
    const place = at(places, Math.floor(index / line.length));
    return product(ids(index), { ...sold, name: `${sold.model.detailModelName} ${place}`, approved: true });
  });
  const cars = Array.from({ length: size.cars }, (_each, index) => {
    const { companyId } = ids(index % size.products);
    return car(10_001 + index, companyId, plate(index), at(line, index % size.products).model);
  });
  const productCars = cars.map(({ carId }, index) => ({
    productId: 301 + (index % size.products),
    carId,
    saleYn: 'Y' as const,
  }));
  return { companies, cars, products, productCars };
}

/** 500 cars, 60 products, five companies (11-15). */
export const city = (): Fleet => cityOf({ cars: 500, products: 60, companies: 5 });

/** 10,000 cars, 1,000 products, ten companies (11-20). */
export const chain = (): Fleet => cityOf({ cars: 10_000, products: 1000, companies: 10 });
