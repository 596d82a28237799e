import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgSchema, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type * as m from '../../platform/model.js';
import { bytea, instant } from './columns.js';

/** The sandbox's own database: nothing here is shared with the product's. */
export const sandbox = pgSchema('sandbox');

const id = (name: string) => bigint(name, { mode: 'number' });

export const companies = sandbox.table('companies', {
  companyId: id('company_id').primaryKey(),
  companyName: text('company_name').notNull(),
});

/** Filtered and joined fields are columns; the rest of the object is `details`. */
type CarColumns = 'carId' | 'businessLicenseId' | 'businessName' | 'carNumber' | 'detailModelName';
export type CarDetails = Omit<m.Car, CarColumns | 'carTypeFuelCd' | 'deviceEquipYn'>;

export const cars = sandbox.table(
  'cars',
  {
    carId: id('car_id').primaryKey(),
    companyId: id('company_id')
      .notNull()
      .references(() => companies.companyId),
    carNumber: text('car_number').notNull().unique(),
    detailModelName: text('detail_model_name').notNull(),
    carTypeFuelCd: id('car_type_fuel_cd').notNull(),
    deviceEquipYn: text('device_equip_yn').$type<m.YesNo>().notNull(),
    details: jsonb('details').$type<CarDetails>().notNull(),
  },
  (table) => [index('cars_company').on(table.companyId, table.carId)],
);

type ProductColumns = 'productId' | 'productName' | 'detailModelName' | 'carTypeFuelCd' | 'fareId';
export type ProductDetails = Omit<m.Product, ProductColumns | 'productApproveStatus'>;

export const products = sandbox.table(
  'products',
  {
    productId: id('product_id').primaryKey(),
    companyId: id('company_id')
      .notNull()
      .references(() => companies.companyId),
    productName: text('product_name').notNull(),
    detailModelName: text('detail_model_name').notNull(),
    carTypeFuelCd: id('car_type_fuel_cd').notNull(),
    fareId: id('fare_id').notNull(),
    approveStatus: integer('approve_status').$type<0 | 1>().notNull(),
    details: jsonb('details').$type<ProductDetails>().notNull(),
  },
  (table) => [
    index('products_company').on(table.companyId, table.productId),
    index('products_fare').on(table.fareId),
  ],
);

export const productCars = sandbox.table(
  'product_cars',
  {
    productId: id('product_id')
      .notNull()
      .references(() => products.productId),
    carId: id('car_id')
      .notNull()
      .references(() => cars.carId),
    saleYn: text('sale_yn').$type<m.YesNo>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.carId] }),
    index('product_cars_car').on(table.carId),
  ],
);

/** Notes on a car (specification, Car): they go with it. */
export const memos = sandbox.table(
  'memos',
  {
    memoId: id('memo_id').primaryKey().generatedAlwaysAsIdentity({ startWith: 6001 }),
    carId: id('car_id')
      .notNull()
      .references(() => cars.carId, { onDelete: 'cascade' }),
    content: text('content').notNull(),
    writerName: text('writer_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('memos_car').on(table.carId, table.memoId)],
);

export const reservationIds = sandbox.sequence('reservation_ids', { startWith: 8001 });

/** Ids of cars, products and fare plans that the web site makes: beyond those of every fleet. */
export const webSiteIds = sandbox.sequence('web_site_ids', { startWith: 900_001 });

/** One move of a reservation: from null is its creation. `cause`: an operation, a customer's move, or `time`. */
export interface Move {
  from: number | null;
  to: number;
  at: m.Instant;
  cause: string;
}

export const reservations = sandbox.table(
  'reservations',
  {
    reservationId: id('reservation_id').primaryKey(),
    productId: id('product_id').notNull(),
    carId: id('car_id').notNull(),
    carNumber: text('car_number').notNull(),
    companyId: id('company_id').notNull(),
    companyName: text('company_name').notNull(),
    status: integer('status').notNull(),
    createdAt: instant('created_at').notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    drivingStartAt: instant('driving_start_at'),
    drivingEndAt: instant('driving_end_at'),
    pickupAddress: text('pickup_address').notNull(),
    driver: jsonb('driver').$type<m.BookingRequest['driver']>().notNull(),
    companion: jsonb('companion').$type<m.Companion>(),
    pickupMemo: text('pickup_memo'),
    parkingMemo: text('parking_memo'),
    parkingLotType: integer('parking_lot_type'),
    /** The newest parking photo: its address is made from this id. */
    parkingPhotoId: text('parking_photo_id'),
    dispatchStaff: jsonb('dispatch_staff').$type<m.StaffAssignment>(),
    recallStaff: jsonb('recall_staff').$type<m.StaffAssignment>(),
    /** When an unacknowledged registration becomes 50 (G36); null once acknowledged, or without a receiver. */
    failAt: instant('fail_at'),
    /** Every move it made, in order: written with the move. */
    moves: jsonb('moves').$type<Move[]>().notNull(),
  },
  (table) => [
    index('reservations_end').on(table.endAt).where(sql`status in (5, 10, 15, 20)`),
    index('reservations_fail').on(table.failAt).where(sql`fail_at is not null`),
    index('reservations_car').on(table.carId),
  ],
);

/**
 * Schedules of type R and S. Two of one car cannot overlap: the migration adds the exclusion constraint
 * `schedules_no_overlap`, which Drizzle's schema language cannot express.
 */
export const schedules = sandbox.table('schedules', {
  scheduleId: id('schedule_id').primaryKey().generatedAlwaysAsIdentity({ startWith: 5001 }),
  carId: id('car_id')
    .notNull()
    .references(() => cars.carId),
  scheduleType: text('schedule_type').$type<'R' | 'S'>().notNull(),
  startAt: instant('start_at').notNull(),
  endAt: instant('end_at').notNull(),
  reason: text('reason').notNull(),
  reservationId: id('reservation_id').unique(),
});

/** Photos as received: the bytes once per content, one row per upload. */
export const photos = sandbox.table('photos', {
  hash: text('hash').primaryKey(),
  type: text('type').$type<m.Photo['type']>().notNull(),
  bytes: bytea('bytes').notNull(),
});

export const reservationPhotos = sandbox.table(
  'reservation_photos',
  {
    photoId: text('photo_id').primaryKey(),
    reservationId: id('reservation_id').notNull(),
    step: text('step').$type<'dispatchParkingImage' | 'dispatchCarImage' | 'recallCarImage'>().notNull(),
    hash: text('hash')
      .notNull()
      .references(() => photos.hash),
    at: instant('at').notNull(),
  },
  (table) => [index('reservation_photos_reservation').on(table.reservationId)],
);

/** The outbox: callbacks in order of emission. `nextAt` is set while one waits for an attempt after the first. */
export const callbacks = sandbox.table(
  'callbacks',
  {
    callbackId: id('callback_id').primaryKey().generatedAlwaysAsIdentity(),
    webhookId: text('webhook_id').notNull(),
    reservationId: id('reservation_id').notNull(),
    kind: text('kind').$type<m.CallbackKind>().notNull(),
    payload: text('payload').notNull(),
    emittedAt: instant('emitted_at').notNull(),
    /** `kept`: there was no receiver at emission. */
    state: text('state').$type<'waiting' | 'acknowledged' | 'given-up' | 'kept'>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    firstAttemptAt: instant('first_attempt_at'),
    nextAt: instant('next_at'),
    lastOutcome: text('last_outcome'),
  },
  (table) => [
    unique('callbacks_webhook_id').on(table.webhookId),
    index('callbacks_waiting').on(table.nextAt).where(sql`state = 'waiting'`),
    index('callbacks_reservation').on(table.reservationId, table.callbackId),
  ],
);

/** Requests received and callback attempts made, with both bodies. */
export const journal = sandbox.table(
  'journal',
  {
    journalId: id('journal_id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<'request' | 'callback'>().notNull(),
    at: instant('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    operation: text('operation'),
    role: text('role'),
    status: integer('status'),
    reservationId: id('reservation_id'),
    effect: text('effect').notNull(),
    requestBody: text('request_body'),
    responseBody: text('response_body'),
    webhookId: text('webhook_id'),
  },
  (table) => [
    index('journal_reservation').on(table.reservationId, table.journalId),
    index('journal_operation').on(table.operation, table.journalId),
  ],
);

/** Small facts of the sandbox as a whole, by name (`clock`). */
export const settings = sandbox.table('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});
