import fc from 'fast-check';
import type * as m from '../../src/platform/model.js';

/** Random members of the platform's model, for properties that hold for every object. */

const instant = fc.integer({
  min: Date.parse('0001-01-02T00:00:00.000Z'),
  max: Date.parse('9999-12-30T23:59:59.999Z'),
});
const id = fc.maxSafeInteger();
const any = fc.string({ unit: 'grapheme' });
const text = any.filter((value) => /\S/.test(value));
const code = fc.integer();
const yesNo = fc.constantFrom<m.YesNo>('Y', 'N');
const day = fc
  .date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T00:00:00.000Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));
const birth = day.map((date) => date.replaceAll('-', ''));
const phone = fc.stringMatching(/^[0-9]{1,20}$/);
const lot = fc.constantFrom<0 | 1>(0, 1);

/** Every key of `required`, any of `optional`: absent ones are absent. */
const object = <R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> =>
  fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([some, more]) => ({ ...some, ...more }) as R & Partial<O>);

export const reservation: fc.Arbitrary<m.Reservation> = object(
  {
    reservationId: id,
    serviceId: id,
    serviceName: any,
    reservationStatus: fc.nat(),
    carId: id,
    carNumber: any,
    companyId: id,
    companyName: any,
    createdAt: instant,
    startAt: instant,
    endAt: instant,
    pickupAddress: any,
    driverName: any,
    driverBirth: any,
    driverPhone: any,
    driverLicenseNumber: any,
    driverAddress: any,
  },
  {
    drivingStartAt: instant,
    drivingEndAt: instant,
    pickupMemo: any,
    parkingMemo: any,
    parkingImageUrl: any,
    parkingLotType: code,
    companionInfo: object({}, { phone: any, birth: any, name: any, licenseNumber: any }),
    productInfo: fc.record({ productId: id, carId: id }),
  },
) as fc.Arbitrary<m.Reservation>;

const whole = {
  kind: fc.constantFrom<'registration' | 'update'>('registration', 'update'),
  reservation,
};
const changes: fc.Arbitrary<m.Callback> = fc.oneof(
  object(
    { kind: fc.constant<'car'>('car'), reservationId: id, carId: id, carNumber: any },
    { previousCarId: id, changedAt: instant },
  ),
  object(
    { kind: fc.constant<'status'>('status'), reservationId: id, reservationStatus: code },
    { changedAt: instant },
  ),
) as fc.Arbitrary<m.Callback>;

/** As the default profile carries them: registrations and updates do not say when they happened. */
export const callback: fc.Arbitrary<m.Callback> = fc.oneof(fc.record(whole), changes);
export const datedCallback = fc.oneof(
  object(whole, { changedAt: instant }) as fc.Arbitrary<m.Callback>,
  changes,
);

export const bookingRequest = object(
  {
    productId: id,
    startAt: instant,
    endAt: instant,
    pickupAddress: text,
    driver: fc.record({ name: text, birth, phone, licenseNumber: text, address: text }),
  },
  { companionInfo: object({}, { phone, birth, name: text, licenseNumber: text }), pickupMemo: any },
) as fc.Arbitrary<m.BookingRequest>;

export const bookingAnswer: fc.Arbitrary<m.BookingAnswer> = fc.record({
  reservationId: id,
  status: any,
  carNumber: any,
  pickupAt: instant,
  returnAt: instant,
});

export const staffAssignment: fc.Arbitrary<m.StaffAssignment> = fc.record({
  staffName: text,
  staffPhone: phone,
});

export const parkingFacts: fc.Arbitrary<m.ParkingFacts> = object(
  {},
  { parkingMemo: any, parkingLotType: lot },
);

export const commandReceipt = fc.record({ reservationId: id, reservationStatus: code });

const fares = fc.record({ daily: code, hourly: code });

export const product = object(
  {
    productId: id,
    productName: any,
    manufacturerCd: code,
    seatCount: code,
    modelCd: code,
    detailModelCd: code,
    detailModelName: any,
    carTypeFuelCd: code,
    fuelTypeName: any,
    insuranceAge: fc.constantFrom('O', 'S'),
    licenseType: fc.constantFrom('O', 'T', 'H'),
    fareId: id,
    modifierName: any,
    modifiedAt: instant,
    productApproveStatus: lot,
    basicSectionFareInfo: fc.record({
      fareId: id,
      fareName: any,
      baseFare: code,
      maxFare: code,
      weekday: fares,
      weekend: fares,
    }),
    productCarOptionList: fc.array(
      fc.record({ optionId: id, optionName: any, kmOption: any, selectedYn: yesNo }),
      { maxLength: 3 },
    ),
  },
  {
    productCarCampOptionList: fc.array(fc.record({ optionId: id, optionName: any, selectedYn: yesNo }), {
      maxLength: 3,
    }),
  },
) as fc.Arbitrary<m.Product>;

export const car = object(
  {
    carId: id,
    businessLicenseId: id,
    businessName: any,
    carNumber: any,
    carTypeFuelCd: code,
    fuelTypeName: any,
    gradeCd: code,
    gradeName: any,
    carTypeName: any,
    modelYear: code,
    detailModelName: any,
    displacement: code,
    seatCount: code,
    vin: any,
    colour: any,
    registrationDate: day,
    modifierName: any,
    modifiedAt: instant,
    simNumber: any,
    carOptionList: fc.array(
      fc.record({
        optionKey1: any,
        optionNm1: any,
        optionKey2: any,
        optionNm2: any,
        optionKey3: any,
        optionNm3: any,
        optionValue: yesNo,
      }),
      { maxLength: 3 },
    ),
    deviceEquipYn: yesNo,
  },
  { registrationFile: fc.record({ fileId: id, fileName: any }) },
) as fc.Arbitrary<m.Car>;

export const relatedCar: fc.Arbitrary<m.RelatedCar> = fc.record({
  carId: id,
  carNumber: any,
  detailModelName: any,
  saleYn: yesNo,
});

export const schedule: fc.Arbitrary<m.Schedule> = fc.record({
  scheduleId: id,
  carId: id,
  scheduleType: fc.constantFrom<'R' | 'S'>('R', 'S'),
  startAt: instant,
  endAt: instant,
  reason: any,
});

export const scheduleRequest: fc.Arbitrary<m.ScheduleRequest> = fc.record({
  carId: id,
  startAt: instant,
  endAt: instant,
  reason: text,
});

export const saleStatus: fc.Arbitrary<m.SaleStatus> = fc.record({
  productId: id,
  carId: id,
  saleYn: yesNo,
});

export const carMemo: fc.Arbitrary<m.CarMemo> = fc.record({
  memoId: id,
  carId: id,
  content: any,
  writerName: any,
  createdAt: instant,
});
export const carMemoRequest = object({ content: text }, { writerName: text });

export const carSchedules: fc.Arbitrary<m.CarSchedules> = fc.record({
  carId: id,
  carNumber: any,
  detailModelName: any,
  schedules: fc.array(schedule, { maxLength: 3 }),
});

export const productFilter = object(
  {},
  { productApproveStatus: lot, productName: any, detailModelName: any, carTypeFuelCd: code },
);
export const carFilter = object(
  {},
  { businessLicenseId: id, carTypeFuelCd: code, carNumber: any, deviceEquipYn: yesNo },
);
export const scheduleFilter = object(
  { startDate: day, endDate: day },
  { carNumber: any, detailModelName: any },
);
