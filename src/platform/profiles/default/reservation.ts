import { z } from 'zod';
import type { Companion, Reservation } from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import { id, integer } from '../codecs/values.js';
import { moment } from './moments.js';

const given = z.string();

/** G02, as the platform sends it: phone and birth date stay as they came (L61). */
const companion: Schema<Companion> = sentObject({
  phone: given.exactOptional(),
  birth: given.exactOptional(),
  name: given.exactOptional(),
  licenseNumber: given.exactOptional(),
});

/**
 * G01: the reservation object of the callbacks. Any integer is a status (L11: an unknown one is kept); phone and
 * birth date stay as they came (L61).
 */
export const reservation: Schema<Reservation> = sentObject({
  reservationId: id,
  serviceId: id,
  serviceName: given,
  reservationStatus: integer,
  carId: id,
  carNumber: given,
  companyId: id,
  companyName: given,
  createdAt: moment,
  startAt: moment,
  endAt: moment,
  drivingStartAt: moment.exactOptional(),
  drivingEndAt: moment.exactOptional(),
  pickupAddress: given,
  driverName: given,
  driverBirth: given,
  driverPhone: given,
  driverLicenseNumber: given,
  driverAddress: given,
  pickupMemo: given.exactOptional(),
  parkingMemo: given.exactOptional(),
  parkingImageUrl: given.exactOptional(),
  parkingLotType: integer.exactOptional(),
  companionInfo: companion.exactOptional(),
  productInfo: sentObject({ productId: id, carId: id }).exactOptional(),
});
