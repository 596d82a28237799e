import { z } from 'zod';
import type { AnnouncedReservation, Companion, Received } from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import { id, integer } from '../codecs/values.js';
import { moment } from './moments.js';

const given = z.string();

/** G02, as the platform sends it. Phone and birth date are stored as received (L61). */
const companion: Schema<Received<Companion>> = sentObject(
  {
    phone: given.exactOptional(),
    birth: given.exactOptional(),
    name: given.exactOptional(),
    licenseNumber: given.exactOptional(),
  },
  { gap: 'G02', needs: [] },
);

/**
 * G01: the reservation object of the callbacks. Any integer is a status (L11: an unknown one is stored). Phone and birth
 * date are stored as received (L61). Id, status, period and car are required: without one of them an update would leave
 * a wrong belief that nothing else corrects.
 */
export const reservation: Schema<AnnouncedReservation> = sentObject(
  {
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
    productInfo: sentObject({ productId: id, carId: id }, { gap: 'G01', needs: [] }).exactOptional(),
  },
  { gap: 'G01', needs: ['reservationId', 'reservationStatus', 'carId', 'startAt', 'endAt'] },
);
