/**
 * The platform's objects as types of Handover and its sandbox, independent of their form on the wire. Field names are
 * the default profile's (G01-G10). An instant is a number: milliseconds since the Unix epoch, UTC. A calendar date is
 * `yyyy-MM-dd` in the service's zone. An absent optional field is absent, never null: null is a value that the platform
 * sent and that cannot be read (`Received`).
 */

/**
 * An object as it was read from the platform. A field outside `Needed`, at any depth, is null where its value does not
 * fit the wire profile: it is unknown. Code that needs such a field reads it with `needed` (needed.ts).
 */
export type Received<T, Needed extends keyof T = never> = {
  [K in keyof T]: K extends Needed ? T[K] : Part<T[K]> | null;
};
type Part<V> = V extends readonly (infer Item)[] ? Received<Item>[] : V extends object ? Received<V> : V;

/** Milliseconds since the Unix epoch. */
export type Instant = number;
/** A calendar date `yyyy-MM-dd` in the service's zone (G18). */
export type CalendarDate = string;
export type YesNo = 'Y' | 'N';

/** Companion object (specification, Reservation; G02). */
export interface Companion {
  phone?: string;
  birth?: string;
  name?: string;
  licenseNumber?: string;
}

/** Reservation object, fields 1-24 (specification, Reservation; G01). */
export interface Reservation {
  reservationId: number;
  serviceId: number;
  serviceName: string;
  reservationStatus: number;
  carId: number;
  carNumber: string;
  companyId: number;
  companyName: string;
  createdAt: Instant;
  startAt: Instant;
  endAt: Instant;
  drivingStartAt?: Instant;
  drivingEndAt?: Instant;
  pickupAddress: string;
  driverName: string;
  driverBirth: string;
  driverPhone: string;
  driverLicenseNumber: string;
  driverAddress: string;
  pickupMemo?: string;
  parkingMemo?: string;
  parkingImageUrl?: string;
  parkingLotType?: number;
  companionInfo?: Companion;
  productInfo?: { productId: number; carId: number };
}

interface Fares {
  daily: number;
  hourly: number;
}

/** basicSectionFareInfo (G04); fares in won. */
export interface FareInfo {
  fareId: number;
  fareName: string;
  baseFare: number;
  maxFare: number;
  weekday: Fares;
  weekend: Fares;
}

export interface ProductCarOption {
  optionId: number;
  optionName: string;
  kmOption: string;
  selectedYn: YesNo;
}

export interface CampOption {
  optionId: number;
  optionName: string;
  selectedYn: YesNo;
}

/** Product object (specification, Product; G03-G05). */
export interface Product {
  productId: number;
  productName: string;
  manufacturerCd: number;
  seatCount: number;
  modelCd: number;
  detailModelCd: number;
  detailModelName: string;
  carTypeFuelCd: number;
  fuelTypeName: string;
  insuranceAge: 'O' | 'S';
  licenseType: 'O' | 'T' | 'H';
  fareId: number;
  modifierName: string;
  modifiedAt: Instant;
  productApproveStatus: 0 | 1;
  basicSectionFareInfo: FareInfo;
  productCarOptionList: ProductCarOption[];
  productCarCampOptionList?: CampOption[];
}

export interface CarOption {
  optionKey1: string;
  optionNm1: string;
  optionKey2: string;
  optionNm2: string;
  optionKey3: string;
  optionNm3: string;
  optionValue: YesNo;
}

/** Car object (specification, Car; G06). */
export interface Car {
  carId: number;
  businessLicenseId: number;
  businessName: string;
  carNumber: string;
  carTypeFuelCd: number;
  fuelTypeName: string;
  gradeCd: number;
  gradeName: string;
  carTypeName: string;
  modelYear: number;
  detailModelName: string;
  displacement: number;
  seatCount: number;
  vin: string;
  colour: string;
  registrationDate: CalendarDate;
  modifierName: string;
  modifiedAt: Instant;
  simNumber: string;
  registrationFile?: { fileId: number; fileName: string };
  carOptionList: CarOption[];
  deviceEquipYn: YesNo;
}

/** One car of a product with its sale status (G10). */
export interface RelatedCar {
  carId: number;
  carNumber: string;
  detailModelName: string;
  saleYn: YesNo;
}

/** Schedule entry (specification, Schedule; G08). */
export interface Schedule {
  scheduleId: number;
  carId: number;
  scheduleType: 'R' | 'S';
  startAt: Instant;
  endAt: Instant;
  reason: string;
}

/** Body of POST and PUT /schedule: an external schedule (G19, G42). */
export interface ScheduleRequest {
  carId: number;
  startAt: Instant;
  endAt: Instant;
  reason: string;
}

/** The sale status of one car in a product (G17). */
export interface SaleStatus {
  productId: number;
  carId: number;
  saleYn: YesNo;
}

/** A note on a car (specification, Car; G07). */
export interface CarMemo {
  memoId: number;
  carId: number;
  content: string;
  writerName: string;
  createdAt: Instant;
}

/** Body of POST /car/{id}/memo (G07). */
export interface CarMemoRequest {
  content: string;
  writerName?: string;
}

/** One car's schedules in a list answer (G09). */
export interface CarSchedules {
  carId: number;
  carNumber: string;
  detailModelName: string;
  schedules: Schedule[];
}

/** Body of POST /reservations (G11). */
export interface BookingRequest {
  productId: number;
  startAt: Instant;
  endAt: Instant;
  pickupAddress: string;
  driver: { name: string; birth: string; phone: string; licenseNumber: string; address: string };
  companionInfo?: Companion;
  pickupMemo?: string;
}

/** Answer of POST /reservations (specification, Endpoints). `status` is the string that the platform sent (G12). */
export interface BookingAnswer {
  reservationId: number;
  status: string;
  carNumber: string;
  pickupAt: Instant;
  returnAt: Instant;
}

/** Body of dispatch/staff and recall/staff (G13); phone digits only. */
export interface StaffAssignment {
  staffName: string;
  staffPhone: string;
}

/** Body of dispatch/complete (G14) and the text fields of dispatch/parkingImage (G15). */
export interface ParkingFacts {
  parkingMemo?: string;
  parkingLotType?: 0 | 1;
}

/** A photo for the platform (G15), at most 10 MiB. */
export interface Photo {
  bytes: Uint8Array;
  type: 'image/jpeg' | 'image/png' | 'image/webp';
}

/** Answer of the eight commands (G16): both absent where the profile answers with an empty body. */
export interface CommandReceipt {
  reservationId?: number;
  reservationStatus?: number;
}

/** The four callbacks (specification, Events; G28-G30). */
export type CallbackKind = 'registration' | 'update' | 'car' | 'status';

interface CarChange {
  reservationId: number;
  carId: number;
  carNumber: string;
  previousCarId?: number;
  changedAt?: Instant;
}
interface StatusChange {
  reservationId: number;
  reservationStatus: number;
  changedAt?: Instant;
}
/** Fields that every callback with a whole reservation needs. */
export type AnnouncedReservation = Received<
  Reservation,
  'reservationId' | 'reservationStatus' | 'carId' | 'startAt' | 'endAt'
>;

export type Callback =
  /** `changedAt` orders updates (L13). The default profile does not have it here (G01). */
  | { kind: 'registration' | 'update'; reservation: AnnouncedReservation; changedAt?: Instant | null }
  | ({ kind: 'car' } & Received<CarChange, 'reservationId' | 'carId'>)
  | ({ kind: 'status' } & Received<StatusChange, 'reservationId' | 'reservationStatus'>);

/** The two client roles of the specification (G26). */
export type Role = 'channel' | 'supplier';
