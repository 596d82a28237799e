import { createHash } from 'node:crypto';
import type { ParkingFacts, Photo, StaffAssignment } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { assertMove, assertStep, type Move, targets } from '../core/moves.js';
import { Refusal } from '../core/refusal.js';
import { storePhoto } from '../store/photos.js';
import type { ReservationRow } from '../store/reservations.js';
import type { Executor } from '../store/store.js';
import { changeReservation } from './change.js';

export interface CommandTarget {
  reservationId: number;
  companyId?: number | undefined;
}

/** Moves that set the driving times (specification, Reservation, fields 12 and 13). */
const drivingTimes = { startUse: 'drivingStartAt', return: 'drivingEndAt' } as const;

/**
 * A status change by an operation of the rental company or by the customer (States table, G38).
 * @throws `Refusal` NOT_FOUND or ILLEGAL_STATE
 */
export function moveTo(
  sandbox: Sandbox,
  target: CommandTarget,
  move: Move,
  facts: ParkingFacts = {},
): Promise<ReservationRow> {
  const to = targets[move];
  return changeReservation(sandbox, {
    ...target,
    cause: move,
    decide: (row, now) => {
      assertMove(sandbox.profile.behaviour, row.status, to);
      const field = drivingTimes[move as keyof typeof drivingTimes];
      return { to, set: { ...facts, ...(field && { [field]: now }) }, happening: 'status' };
    },
  });
}

/** PUT dispatch/staff and recall/staff (G13): stored without a callback. */
export function assignStaff(
  sandbox: Sandbox,
  target: CommandTarget,
  step: 'dispatchStaff' | 'recallStaff',
  staff: StaffAssignment,
): Promise<ReservationRow> {
  return changeReservation(sandbox, {
    ...target,
    cause: step,
    decide: (row) => {
      assertStep(row.status, step);
      return { set: { [step]: staff } };
    },
  });
}

/** POST parkingImage and carImage (G15). The parking photo and its facts show in the reservation. */
export function addPhoto(
  sandbox: Sandbox,
  target: CommandTarget,
  step: 'dispatchParkingImage' | 'dispatchCarImage' | 'recallCarImage',
  photo: Photo | undefined,
  facts: ParkingFacts = {},
): Promise<ReservationRow> {
  if (!photo) throw new Refusal('INVALID_REQUEST', 'a photo is missing');
  const hash = createHash('sha256').update(photo.bytes).digest('hex');
  const photoId = sandbox.newId();
  return changeReservation(sandbox, {
    ...target,
    cause: step,
    decide: (row, now) => {
      assertStep(row.status, step);
      const also = (tx: Executor) =>
        storePhoto(
          tx,
          { hash, type: photo.type, bytes: photo.bytes },
          { photoId, reservationId: row.reservationId, step, at: now },
        );
      if (step !== 'dispatchParkingImage') return { also };
      return { set: { ...facts, parkingPhotoId: photoId }, happening: 'parking', also };
    },
  });
}
