import type { Reservation } from '../../platform/model.js';
import type { ReservationRow } from '../store/reservations.js';

/** The demand channel's service that this sandbox stands for (specification, Reservation, fields 2 and 3). */
const service = { serviceId: 1, serviceName: 'Sandbox Service' };

type Given<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** Drops null fields: the model has absent ones. */
function dropNulls<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Given<T>;
}

/** Where a parking photo is served. Each upload has an address of its own, so that a repeat can be recognised. */
const photoUrl = (publicUrl: string, photoId: string): string => `${publicUrl}/photos/${photoId}`;

/** A stored reservation as the platform's reservation object (fields 1-24). */
export function toReservation(row: ReservationRow, publicUrl: string): Reservation {
  const { driver } = row;
  return {
    ...service,
    reservationId: row.reservationId,
    reservationStatus: row.status,
    carId: row.carId,
    carNumber: row.carNumber,
    companyId: row.companyId,
    companyName: row.companyName,
    createdAt: row.createdAt,
    startAt: row.startAt,
    endAt: row.endAt,
    pickupAddress: row.pickupAddress,
    driverName: driver.name,
    driverBirth: driver.birth,
    driverPhone: driver.phone,
    driverLicenseNumber: driver.licenseNumber,
    driverAddress: driver.address,
    productInfo: { productId: row.productId, carId: row.carId },
    ...dropNulls({
      drivingStartAt: row.drivingStartAt,
      drivingEndAt: row.drivingEndAt,
      pickupMemo: row.pickupMemo,
      parkingMemo: row.parkingMemo,
      parkingImageUrl: row.parkingPhotoId && photoUrl(publicUrl, row.parkingPhotoId),
      parkingLotType: row.parkingLotType,
      companionInfo: row.companion,
    }),
  };
}
