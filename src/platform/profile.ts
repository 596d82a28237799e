import type { z } from 'zod';
import type { WireError } from './errors.js';
import type * as m from './model.js';

/**
 * The wire profile defines everything that the specification leaves open (gap ids G01-G44). Client and sandbox both
 * encode and decode by it. A deployment can name its own module in `WIRE_PROFILE`.
 *
 * A `Schema<T>` is a zod codec: `z.decode` reads the wire (input side) into the model (output side, see
 * `model.ts`), `z.encode` writes it back. Both throw `ZodError` on values that do not fit.
 */
// biome-ignore lint/suspicious/noExplicitAny: each profile has its own wire types
export type Schema<T> = z.ZodType<T, any>;

interface EmptyBody {
  kind: 'none';
}
interface JsonBody<T> {
  kind: 'json';
  schema: Schema<T>;
}
/** One file field plus text fields (G15). */
export interface PhotoBody<T> {
  kind: 'photo';
  fileField: string;
  maxBytes: number;
  types: readonly m.Photo['type'][];
  fields: Schema<T>;
}

/**
 * One endpoint. `In` has all arguments of the caller, `{ params, query, body, photo }` with absent parts left out. Path
 * parameters, query and body have one wire schema each.
 */
export interface Operation<Params, Query, Body, Out> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path template with `{id}` placeholders, relative to the base address. */
  path: string;
  /** Roles that may call it (G26). */
  roles: readonly m.Role[];
  params: Schema<Params>;
  query: Schema<Query>;
  body: EmptyBody | JsonBody<Body> | PhotoBody<Body>;
  /** The success answer. `schema` absent: an empty body is written and any body is ignored. */
  success: { status: number; schema?: Schema<Out> };
}

type None = Record<string, never>;
type ById = { id: number };
type Command<Body = None> = Operation<ById, None, Body, m.Received<m.CommandReceipt> | undefined>;

export interface Operations {
  book: Operation<None, None, m.BookingRequest, m.Received<m.BookingAnswer>>;
  dispatchStaff: Command<m.StaffAssignment>;
  dispatchStart: Command;
  dispatchParkingImage: Command<m.ParkingFacts>;
  dispatchCarImage: Command;
  dispatchComplete: Command<m.ParkingFacts>;
  recallStaff: Command<m.StaffAssignment>;
  recallCarImage: Command;
  recallComplete: Command;
  listProducts: Operation<None, ProductFilter & Page, None, Listing<m.Received<m.Product>>>;
  getProduct: Operation<ById, None, None, m.Received<m.Product>>;
  listProductsOfFare: Operation<{ fareId: number }, Page, None, Listing<m.Received<m.Product>>>;
  listRelatedCars: Operation<ById, Page, None, Listing<m.Received<m.RelatedCar>>>;
  setSaleStatus: Operation<{ id: number; carId: number }, SaleChoice, SaleChoice, m.Received<m.SaleStatus>>;
  listCars: Operation<None, CarFilter & Page, None, Listing<m.Received<m.Car>>>;
  getCar: Operation<ById, None, None, m.Received<m.Car>>;
  listCarMemos: Operation<ById, Page, None, Listing<m.Received<m.CarMemo>>>;
  addCarMemo: Operation<ById, None, m.CarMemoRequest, m.Received<m.CarMemo>>;
  listSchedules: Operation<None, ScheduleFilter & Page, None, Listing<m.Received<m.CarSchedules>>>;
  getSchedule: Operation<ById, None, None, m.Received<m.Schedule>>;
  addSchedule: Operation<None, None, m.ScheduleRequest, m.Received<m.Schedule>>;
  changeSchedule: Operation<ById, None, m.ScheduleRequest, m.Received<m.Schedule>>;
  deleteSchedule: Operation<ById, None, None, undefined>;
}
export type OperationName = keyof Operations;

/** A list answer (G21). `next` present: there is another page, requested with `page`. */
export interface Listing<T> {
  items: T[];
  next?: string;
}
export interface Page {
  page?: string;
}
/** G17: the profile decides whether it is sent in the body or in the query, so the caller passes it for both. */
interface SaleChoice {
  saleYn?: m.YesNo;
}
/** G22. */
export interface ProductFilter {
  productApproveStatus?: 0 | 1;
  productName?: string;
  detailModelName?: string;
  carTypeFuelCd?: number;
}
/** G23. */
export interface CarFilter {
  businessLicenseId?: number;
  carTypeFuelCd?: number;
  carNumber?: string;
  deviceEquipYn?: m.YesNo;
}
/** GET /schedule (specification, Schedule operations; G18): whole days, end inclusive. */
export interface ScheduleFilter {
  startDate: m.CalendarDate;
  endDate: m.CalendarDate;
  carNumber?: string;
  detailModelName?: string;
}

/** The platform's behaviour beyond its wire format, which the sandbox simulates (G08, G12, G31-G38). */
export interface Behaviour {
  /** G12: the string in the answer of POST /reservations. */
  bookingStatus: string;
  /** G08: the reason of an R schedule. */
  reservationScheduleReason: string;
  /** G21: items per page; absent: everything at once. */
  pageSize?: number;
  /** G31: which callbacks a change emits, in order. */
  emits: Record<'created' | 'status' | 'car' | 'period' | 'driver' | 'parking', readonly m.CallbackKind[]>;
  /** G33: milliseconds within which a receiver must answer 2xx. */
  acknowledgeWithinMs: number;
  /** G34: offsets in ms after the first attempt; after the last, every `thenEveryMs` until `untilMs`. */
  retries: { offsetsMs: readonly number[]; thenEveryMs: number; untilMs: number };
  /** G36: a reservation whose registration is not acknowledged within this time after its creation changes to 50. */
  failUnacknowledgedAfterMs: number;
  /** G38 and the States table: from which statuses a status may be reached. */
  fromStates: Record<10 | 15 | 20 | 25 | 30 | 35 | 40 | 45 | 50, readonly number[]>;
}

export interface WireProfile {
  name: string;
  /** G18: IANA name of the service's zone and its offset (no daylight saving). */
  zone: { name: string; offsetMinutes: number };
  operations: Operations;
  /** G25: the wire format of a refusal. */
  errors: {
    encode(error: WireError): { status: number; headers?: Record<string, string>; body: unknown };
    /** Undefined where the body has no known code; the caller then uses the HTTP status. */
    decode(status: number, body: unknown): Pick<WireError, 'code' | 'message'> | undefined;
    /**
     * The part of a refusal's text without personal data, shown to the sender of the command. Absent, or undefined: no
     * text is shown, because the platform does not guarantee texts without personal data.
     */
    shown?(status: number, body: unknown): string | undefined;
  };
  /** G28-G30: path and payload per callback. */
  callbacks: {
    paths: Record<m.CallbackKind, string>;
    decode(kind: m.CallbackKind, body: unknown): m.Callback;
    encode(callback: m.Callback): unknown;
  };
  behaviour: Behaviour;
  /** The values that differ from the default profile, by gap id. The ledger and `handover doctor` show them. */
  differs: readonly string[];
}
