import { Pool } from 'undici';
import type { Tracing } from '../../contract/tracing.js';
import { type OnMismatch, reportUnread } from '../mismatches.js';
import type * as m from '../model.js';
import { type Known, needed } from '../needed.js';
import type {
  CarFilter,
  Listing,
  Operation,
  OperationName,
  Page,
  ProductFilter,
  ScheduleFilter,
  WireProfile,
} from '../profile.js';
import { type CommandAnswer, readAnswer, readReceipt } from './answer.js';
import { baseAddress, headerSafe } from './base-address.js';
import { type CallOptions, type Connection, type OnCall, send } from './call.js';
import { allPages, listLimits } from './pages.js';
import type { Input } from './request.js';

export type { CommandAnswer } from './answer.js';
export type { CallOptions } from './call.js';

export interface PlatformClientOptions {
  /** `http(s)://host[:port][/prefix]`. */
  baseUrl: string;
  profile: WireProfile;
  /** One key per role. The calls of a role without a key end as ROLE_OFF. */
  keys: Partial<Record<m.Role, string>>;
  /** Deadline of one whole request in milliseconds; default 10 000. */
  timeoutMs?: number;
  /** Limit on connections, and so on concurrent requests; default 16. */
  connections?: number;
  /** Limit on the bytes of one answer; default 32 MiB. */
  maxResponseBytes?: number;
  /** Called with the places of values that do not fit the wire profile and were read as unknown. */
  onMismatch?: OnMismatch | undefined;
  /** For metrics. */
  onCall?: OnCall | undefined;
  /** Absent: requests are not traced. Nothing of a trace is sent to the platform. */
  tracing?: Tracing | undefined;
}

/**
 * The platform's endpoints as methods (specification, Endpoints). Each method checks its request and the answer against
 * the wire profile, sends one request (for a list, one per page), follows no redirect and never retries. It throws
 * PlatformCallError only. A value that does not fit the profile is null (`Received`). An answer without any readable
 * field, or without the id of the object that was created, is UNREADABLE.
 */
export interface PlatformClient {
  book(
    request: m.BookingRequest,
    options?: CallOptions,
  ): Promise<m.Received<m.BookingAnswer, 'reservationId'>>;
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
  listProducts(filter?: ProductFilter, options?: CallOptions): Promise<m.Received<m.Product>[]>;
  getProduct(id: number, options?: CallOptions): Promise<m.Received<m.Product>>;
  listProductsOfFare(fareId: number, options?: CallOptions): Promise<m.Received<m.Product>[]>;
  listRelatedCars(productId: number, options?: CallOptions): Promise<m.Received<m.RelatedCar>[]>;
  setSaleStatus(
    productId: number,
    carId: number,
    saleYn: m.YesNo,
    options?: CallOptions,
  ): Promise<m.Received<m.SaleStatus>>;
  listCars(filter?: CarFilter, options?: CallOptions): Promise<m.Received<m.Car>[]>;
  getCar(id: number, options?: CallOptions): Promise<m.Received<m.Car>>;
  listCarMemos(carId: number, options?: CallOptions): Promise<m.Received<m.CarMemo>[]>;
  addCarMemo(
    carId: number,
    memo: m.CarMemoRequest,
    options?: CallOptions,
  ): Promise<m.Received<m.CarMemo, 'memoId'>>;
  listSchedules(filter: ScheduleFilter, options?: CallOptions): Promise<m.Received<m.CarSchedules>[]>;
  /** This and the next two methods are for external schedules only. */
  getSchedule(id: number, options?: CallOptions): Promise<m.Received<m.Schedule>>;
  addSchedule(
    schedule: m.ScheduleRequest,
    options?: CallOptions,
  ): Promise<m.Received<m.Schedule, 'scheduleId'>>;
  /** `schedule.carId` must be the car of the stored schedule: it cannot change (G42). */
  changeSchedule(
    id: number,
    schedule: m.ScheduleRequest,
    options?: CallOptions,
  ): Promise<m.Received<m.Schedule>>;
  deleteSchedule(id: number, options?: CallOptions): Promise<void>;
  /** Waits for the requests in progress, then closes the connections. */
  close(): Promise<void>;
}

/** Lists report the unknown values of their items page by page, so a whole list is not reported again. */
function isListing(read: unknown): read is Listing<unknown> {
  return typeof read === 'object' && read !== null && 'items' in read && Array.isArray(read.items);
}

type ById = { id: number };
type None = Record<string, never>;

/** @throws Error when the base address or a key cannot be used; the message never contains the key */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { profile, timeoutMs = 10_000, connections = 16, maxResponseBytes = 32 * 1024 * 1024 } = options;
  const { origin, prefix } = baseAddress(options.baseUrl);
  const keys = headerSafe(options.keys);
  const connectMs = Math.min(timeoutMs, 5_000);
  // Head and body have no time limits of their own: the call's deadline covers both.
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const { onCall, tracing } = options;
  const connection: Connection = {
    pool,
    prefix,
    profile,
    keys,
    timeoutMs,
    maxResponseBytes,
    onCall,
    tracing,
  };
  const { operations } = profile;
  let closing: Promise<void> | undefined;

  async function command<B>(
    name: OperationName,
    operation: Operation<ById, None, B, m.Received<m.CommandReceipt> | undefined>,
    id: number,
    rest: Pick<Input<ById, None, B>, 'body' | 'photo'>,
    callOptions: CallOptions = {},
  ): Promise<CommandAnswer> {
    const answered = await send(
      connection,
      name,
      operation,
      { params: { id }, query: {}, ...rest },
      callOptions,
    );
    const { answer, read } = readReceipt(operation, answered);
    reportUnread(name, read, options.onMismatch);
    return answer;
  }

  async function value<P, Q, B, O>(
    name: OperationName,
    operation: Operation<P, Q, B, O>,
    input: Input<P, Q, B>,
    callOptions: CallOptions = {},
  ): Promise<O> {
    const read = readAnswer(name, operation, await send(connection, name, operation, input, callOptions));
    reportUnread(name, isListing(read) ? read.items : read, options.onMismatch);
    return read;
  }

  /** A write whose caller needs the id of the created object. */
  async function valueWithId<P, Q, B, O extends object, K extends keyof O & string>(
    name: OperationName,
    operation: Operation<P, Q, B, O>,
    input: Input<P, Q, B>,
    callOptions: CallOptions | undefined,
    id: K,
  ): Promise<Known<O, K>> {
    return needed(name, await value(name, operation, input, callOptions), id);
  }

  function list<P, Q, T>(
    name: OperationName,
    operation: Operation<P, Q & Page, None, Listing<T>>,
    params: P,
    query: Q,
    callOptions?: CallOptions,
  ): Promise<T[]> {
    const latest = Date.now() + listLimits.withinMs;
    const ofList = { ...callOptions, until: Math.min(callOptions?.until ?? latest, latest) };
    return allPages(name, (page) =>
      value(name, operation, { params, query: { ...query, ...(page !== undefined && { page }) } }, ofList),
    );
  }

  return {
    book: (body, o) =>
      valueWithId('book', operations.book, { params: {}, query: {}, body }, o, 'reservationId'),
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
      valueWithId('addCarMemo', operations.addCarMemo, { params: { id }, query: {}, body }, o, 'memoId'),
    listSchedules: (filter, o) => list('listSchedules', operations.listSchedules, {}, filter, o),
    getSchedule: (id, o) => value('getSchedule', operations.getSchedule, { params: { id }, query: {} }, o),
    addSchedule: (body, o) =>
      valueWithId('addSchedule', operations.addSchedule, { params: {}, query: {}, body }, o, 'scheduleId'),
    changeSchedule: (id, body, o) =>
      value('changeSchedule', operations.changeSchedule, { params: { id }, query: {}, body }, o),
    deleteSchedule: async (id, o = {}) => {
      await send(connection, 'deleteSchedule', operations.deleteSchedule, { params: { id }, query: {} }, o);
    },
    close: () => {
      closing ??= pool.close();
      return closing;
    },
  };
}
