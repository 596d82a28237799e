import { z } from 'zod';
import type {
  BookingAnswer,
  BookingRequest,
  CommandReceipt,
  ParkingFacts,
  Received,
  StaffAssignment,
} from '../../model.js';
import type { CarFilter, ProductFilter, ScheduleFilter, Schema } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import {
  anyText,
  birth,
  calendarDate,
  id,
  integer,
  integerAsText,
  integerText,
  phone,
  text,
  yesNo,
} from '../codecs/values.js';
import { isoMoment } from './moments.js';

/** G11. */
export const bookingRequest: Schema<BookingRequest> = z.object({
  productId: id,
  startAt: isoMoment,
  endAt: isoMoment,
  pickupAddress: text,
  driver: z.object({ name: text, birth, phone, licenseNumber: text, address: text }),
  companionInfo: z
    .object({
      phone: phone.exactOptional(),
      birth: birth.exactOptional(),
      name: text.exactOptional(),
      licenseNumber: text.exactOptional(),
    })
    .exactOptional(),
  pickupMemo: anyText.exactOptional(),
});

/** Specification, POST /reservations. `status` is the string that the platform sent (G12). */
export const bookingAnswer: Schema<Received<BookingAnswer>> = sentObject(
  {
    reservationId: id,
    status: z.string(),
    carNumber: z.string(),
    pickupAt: isoMoment,
    returnAt: isoMoment,
  },
  { gap: 'G12', needs: [] },
);

/** G13. */
export const staffAssignment: Schema<StaffAssignment> = z.object({ staffName: text, staffPhone: phone });

const lotType = z.literal([0, 1]);

/** G14: body of dispatch/complete. */
export const parkingFacts: Schema<ParkingFacts> = z.object({
  parkingMemo: anyText.exactOptional(),
  parkingLotType: lotType.exactOptional(),
});

/** G15: the same values as text fields beside the parking photo. */
export const parkingFields: Schema<ParkingFacts> = z.object({
  parkingMemo: anyText.exactOptional(),
  parkingLotType: integerAsText(lotType).exactOptional(),
});

/** G16. */
export const commandReceipt: Schema<Received<CommandReceipt>> = sentObject(
  {
    reservationId: id,
    reservationStatus: integer,
  },
  { gap: 'G16', needs: [] },
);

/** G22. */
export const productFilter: Schema<ProductFilter> = z.object({
  productApproveStatus: integerAsText(z.literal([0, 1])).exactOptional(),
  productName: anyText.exactOptional(),
  detailModelName: anyText.exactOptional(),
  carTypeFuelCd: integerText.exactOptional(),
});

/** G23. */
export const carFilter: Schema<CarFilter> = z.object({
  businessLicenseId: integerText.exactOptional(),
  carTypeFuelCd: integerText.exactOptional(),
  carNumber: anyText.exactOptional(),
  deviceEquipYn: yesNo.exactOptional(),
});

/** G18. */
export const scheduleFilter: Schema<ScheduleFilter> = z.object({
  startDate: calendarDate,
  endDate: calendarDate,
  carNumber: anyText.exactOptional(),
  detailModelName: anyText.exactOptional(),
});
