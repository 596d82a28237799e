import type { BookingAnswer, BookingRequest } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { assertBookable } from '../core/period.js';
import { Refusal } from '../core/refusal.js';
import { bookableProduct, pickCar, reserveCar } from '../store/assignment.js';
import { reservations } from '../store/schema.js';
import type { Executor } from '../store/store.js';
import { announce } from './announce.js';

/**
 * POST /reservations (specification, Endpoints and Schedule rule 4): a car is assigned, its R schedule made and the
 * registration emitted in one transaction.
 * @throws `Refusal` INVALID_REQUEST, NOT_FOUND for an unknown product, NO_AVAILABILITY
 */
export async function book(sandbox: Sandbox, request: BookingRequest): Promise<BookingAnswer> {
  const { db, clock, dispatcher, agenda, profile } = sandbox;
  const { row, callbacks } = await db.transaction(async (tx) => {
    const product = await bookableProduct(tx, request.productId);
    if (!product) throw new Refusal('NOT_FOUND', `there is no product ${request.productId}`);
    assertBookable(request, clock.now());
    if (product.approveStatus !== 1)
      throw new Refusal('NO_AVAILABILITY', 'the product is not approved for sale');
    const car = await assignCar(sandbox, tx, request);
    const now = clock.now();
    const failAt = dispatcher.hasTarget() ? now + profile.behaviour.failUnacknowledgedAfterMs : null;
    const [row] = await tx
      .insert(reservations)
      .values({
        ...car,
        productId: request.productId,
        companyId: product.companyId,
        companyName: product.companyName,
        status: 5,
        createdAt: now,
        startAt: request.startAt,
        endAt: request.endAt,
        pickupAddress: request.pickupAddress,
        driver: request.driver,
        companion: request.companionInfo ?? null,
        pickupMemo: request.pickupMemo ?? null,
        failAt,
        moves: [{ from: null, to: 5, at: now, cause: 'book' }],
      })
      .returning();
    if (!row) throw new Error('an insert returned no row');
    return { row, callbacks: await announce(sandbox, tx, { happening: 'created', after: row, now }) };
  });
  dispatcher.enqueue(callbacks);
  agenda.note(row.failAt === null ? row.endAt : Math.min(row.endAt, row.failAt));
  return {
    reservationId: row.reservationId,
    status: profile.behaviour.bookingStatus,
    carNumber: row.carNumber,
    pickupAt: row.startAt,
    returnAt: row.endAt,
  };
}

/** Tries cars in the documented order until one is reserved; where another booking was faster, picks again. */
async function assignCar(sandbox: Sandbox, tx: Executor, request: BookingRequest) {
  const { startAt, endAt } = request;
  const reason = sandbox.profile.behaviour.reservationScheduleReason;
  for (;;) {
    const car = await pickCar(tx, request.productId, { startAt, endAt });
    if (!car)
      throw new Refusal('NO_AVAILABILITY', 'no car of this product is on sale and free in this period');
    if (
      await reserveCar(tx, { startAt, endAt, reason, carId: car.carId, reservationId: car.reservationId })
    ) {
      return car;
    }
  }
}
