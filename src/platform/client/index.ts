import { Pool } from 'undici';
import type * as m from '../model.js';
import type {
  CarFilter,
  Listing,
  Operation,
  Page,
  ProductFilter,
  ScheduleFilter,
  WireProfile,
} from '../profile.js';
import { type CommandAnswer, readAnswer, readReceipt } from './answer.js';
import { baseAddress, headerSafe } from './base-address.js';
import { type CallOptions, type Line, send } from './call.js';
import { allPages } from './pages.js';
import type { Input } from './request.js';

export type { CommandAnswer } from './answer.js';
export type { CallOptions } from './call.js';

export interface PlatformClientOptions {
  /** `http(s)://host[:port][/prefix]`. */
  baseUrl: string;
  profile: WireProfile;
  /** One key per role; a role without a key is off: its calls end as ROLE_OFF. */
  keys: Partial<Record<m.Role, string>>;
  /** Deadline of one request in milliseconds, all of it; 10 000 unless told. */
  timeoutMs?: number;
  /** Connections at most, so requests at most at a time; 16 unless told. */
  connections?: number;
  /** Bytes of one answer at most; 32 MiB unless told. */
  maxResponseBytes?: number;
}

/**
 * The platform's endpoints as methods (specification, Endpoints). Each checks what it sends and what it gets against
 * the wire profile, sends one request (a list: one per page), follows no redirect, never retries, and throws
 * nothing but PlatformCallError.
 */
export interface PlatformClient {
  book(request: m.BookingRequest, options?: CallOptions): Promise<m.BookingAnswer>;
  dispatchStaff(id: number, staff: m.StaffAssignment, options?: CallOptions): Promise<CommandAnswer>;
  dispatchStart(id: number, options?: CallOptions): Promise<CommandAnswer>;
  dispatchParkingImage(
    id: number,
    photo: m.Photo,
    facts: m.ParkingFacts,
    options?: CallOptions,
  ): Promise<CommandAnswer>;
  dispatchCarImage(id: number, photo: m.Photo, options?: CallOptions): Promise<CommandAnswer>;
  dispatchComplete(id: number, facts: m.ParkingFacts, options?: CallOptions): Promise<CommandAnswer>;
  recallStaff(id: number, staff: m.StaffAssignment, options?: CallOptions): Promise<CommandAnswer>;
  recallCarImage(id: number, photo: m.Photo, options?: CallOptions): Promise<CommandAnswer>;
  recallComplete(id: number, options?: CallOptions): Promise<CommandAnswer>;
  listProducts(filter?: ProductFilter, options?: CallOptions): Promise<m.Product[]>;
  getProduct(id: number, options?: CallOptions): Promise<m.Product>;
  listProductsOfFare(fareId: number, options?: CallOptions): Promise<m.Product[]>;
  listRelatedCars(productId: number, options?: CallOptions): Promise<m.RelatedCar[]>;
  setSaleStatus(
    productId: number,
    carId: number,
    saleYn: m.YesNo,
    options?: CallOptions,
  ): Promise<m.SaleStatus>;
  listCars(filter?: CarFilter, options?: CallOptions): Promise<m.Car[]>;
  getCar(id: number, options?: CallOptions): Promise<m.Car>;
  listCarMemos(carId: number, options?: CallOptions): Promise<m.CarMemo[]>;
  addCarMemo(carId: number, memo: m.CarMemoRequest, options?: CallOptions): Promise<m.CarMemo>;
  listSchedules(filter: ScheduleFilter, options?: CallOptions): Promise<m.CarSchedules[]>;
  /** External schedules only, as the two below. */
  getSchedule(id: number, options?: CallOptions): Promise<m.Schedule>;
  addSchedule(schedule: m.ScheduleRequest, options?: CallOptions): Promise<m.Schedule>;
  /** `schedule.carId` is the schedule's own: it must not change (G42). */
  changeSchedule(id: number, schedule: m.ScheduleRequest, options?: CallOptions): Promise<m.Schedule>;
  deleteSchedule(id: number, options?: CallOptions): Promise<void>;
  /** Waits for what is under way, then closes the connections. */
  close(): Promise<void>;
}

type ById = { id: number };
type None = Record<string, never>;

/** @throws Error when the base address or a key cannot be used; the message never holds the key */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { profile, timeoutMs = 10_000, connections = 16, maxResponseBytes = 32 * 1024 * 1024 } = options;
  const { origin, prefix } = baseAddress(options.baseUrl);
  const keys = headerSafe(options.keys);
  const connectMs = Math.min(timeoutMs, 5_000);
  // Head and body have no limits of their own: the call's deadline covers both.
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const line: Line = { pool, prefix, profile, keys, timeoutMs, maxResponseBytes };
  const { operations } = profile;
  let closing: Promise<void> | undefined;

  async function command<B>(
    name: string,
    operation: Operation<ById, None, B, m.CommandReceipt | undefined>,
    id: number,
    rest: Pick<Input<ById, None, B>, 'body' | 'photo'>,
    callOptions: CallOptions = {},
  ): Promise<CommandAnswer> {
    const answered = await send(line, name, operation, { params: { id }, query: {}, ...rest }, callOptions);
    return readReceipt(operation, answered);
  }

  async function value<P, Q, B, O>(
    name: string,
    operation: Operation<P, Q, B, O>,
    input: Input<P, Q, B>,
    callOptions: CallOptions = {},
  ): Promise<O> {
    return readAnswer(name, operation, await send(line, name, operation, input, callOptions));
  }

  function list<P, Q, T>(
    name: string,
    operation: Operation<P, Q & Page, None, Listing<T>>,
    params: P,
    query: Q,
    callOptions?: CallOptions,
  ): Promise<T[]> {
    return allPages(name, (page) =>
      value(
        name,
        operation,
        { params, query: { ...query, ...(page !== undefined && { page }) } },
        callOptions,
      ),
    );
  }

  return {
    book: (body, o) => value('book', operations.book, { params: {}, query: {}, body }, o),
    dispatchStaff: (id, body, o) => command('dispatchStaff', operations.dispatchStaff, id, { body }, o),
    dispatchStart: (id, o) => command('dispatchStart', operations.dispatchStart, id, {}, o),
    dispatchParkingImage: (id, photo, body, o) =>
      command('dispatchParkingImage', operations.dispatchParkingImage, id, { photo, body }, o),
    dispatchCarImage: (id, photo, o) =>
      command('dispatchCarImage', operations.dispatchCarImage, id, { photo }, o),
    dispatchComplete: (id, body, o) =>
      command('dispatchComplete', operations.dispatchComplete, id, { body }, o),
    recallStaff: (id, body, o) => command('recallStaff', operations.recallStaff, id, { body }, o),
    recallCarImage: (id, photo, o) => command('recallCarImage', operations.recallCarImage, id, { photo }, o),
    recallComplete: (id, o) => command('recallComplete', operations.recallComplete, id, {}, o),
    listProducts: (filter, o) => list('listProducts', operations.listProducts, {}, filter ?? {}, o),
    getProduct: (id, o) => value('getProduct', operations.getProduct, { params: { id }, query: {} }, o),
    listProductsOfFare: (fareId, o) =>
      list('listProductsOfFare', operations.listProductsOfFare, { fareId }, {}, o),
    listRelatedCars: (id, o) => list('listRelatedCars', operations.listRelatedCars, { id }, {}, o),
    setSaleStatus: (id, carId, saleYn, o) => {
      const input = { params: { id, carId }, query: { saleYn }, body: { saleYn } };
      return value('setSaleStatus', operations.setSaleStatus, input, o);
    },
    listCars: (filter, o) => list('listCars', operations.listCars, {}, filter ?? {}, o),
    getCar: (id, o) => value('getCar', operations.getCar, { params: { id }, query: {} }, o),
    listCarMemos: (id, o) => list('listCarMemos', operations.listCarMemos, { id }, {}, o),
    addCarMemo: (id, body, o) =>
      value('addCarMemo', operations.addCarMemo, { params: { id }, query: {}, body }, o),
    listSchedules: (filter, o) => list('listSchedules', operations.listSchedules, {}, filter, o),
    getSchedule: (id, o) => value('getSchedule', operations.getSchedule, { params: { id }, query: {} }, o),
    addSchedule: (body, o) =>
      value('addSchedule', operations.addSchedule, { params: {}, query: {}, body }, o),
    changeSchedule: (id, body, o) =>
      value('changeSchedule', operations.changeSchedule, { params: { id }, query: {}, body }, o),
    deleteSchedule: async (id, o = {}) => {
      await send(line, 'deleteSchedule', operations.deleteSchedule, { params: { id }, query: {} }, o);
    },
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}
