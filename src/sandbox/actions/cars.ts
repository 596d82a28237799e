import type { CarMemo, CarMemoRequest, SaleStatus, YesNo } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { carOfCompany, setSaleYn } from '../store/fleet.js';
import { insertMemo } from '../store/memos.js';

/**
 * PUT sale_status: from the commit on bookings take the car, or pass it by. What is booked stays booked.
 * @throws `Refusal` NOT_FOUND for another company's product, or a car that the product does not have
 */
export async function setSaleStatus(
  { db }: Sandbox,
  companyId: number | undefined,
  productId: number,
  carId: number,
  saleYn: YesNo | undefined,
): Promise<SaleStatus> {
  if (saleYn === undefined) throw new Refusal('INVALID_REQUEST', 'saleYn: expected Y or N');
  if (!(await setSaleYn(db, companyId, { productId, carId, saleYn })))
    throw new Refusal('NOT_FOUND', `there is no product ${productId} with a car ${carId}`);
  return { productId, carId, saleYn };
}

/** POST memo (G07); without a writer's name the company's stands there. @throws `Refusal` NOT_FOUND */
export async function addMemo(
  { db, clock }: Sandbox,
  companyId: number | undefined,
  carId: number,
  { content, writerName }: CarMemoRequest,
): Promise<CarMemo> {
  return db.transaction(async (tx) => {
    const car = await carOfCompany(tx, carId, companyId);
    if (!car) throw new Refusal('NOT_FOUND', `there is no car ${carId}`);
    return insertMemo(tx, {
      carId,
      content,
      writerName: writerName ?? car.companyName,
      createdAt: clock.now(),
    });
  });
}
