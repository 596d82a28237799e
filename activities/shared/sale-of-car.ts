import type { Received, RelatedCar } from '../../src/platform/model.js';
import { needed } from '../../src/platform/needed.js';

/**
 * One car's sale status among the cars of a product; null: the product does not hold it.
 * @throws PlatformCallError UNREADABLE where its status is unknown, or where it is not found and the id of another is
 *   unknown: that one may be it
 */
export function saleOf(carId: number, cars: readonly Received<RelatedCar>[]): { saleYn: 'Y' | 'N' } | null {
  const own = cars.find((car) => car.carId === carId);
  if (own === undefined) {
    for (const car of cars) needed('listRelatedCars', car, 'carId');
    return null;
  }
  return { saleYn: needed('listRelatedCars', own, 'saleYn').saleYn };
}
