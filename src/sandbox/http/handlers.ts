import { book } from '../actions/book.js';
import { addMemo, setSaleStatus } from '../actions/cars.js';
import { addPhoto, assignStaff, moveTo } from '../actions/commands.js';
import { addSchedule, changeSchedule, deleteSchedule, showSchedule } from '../actions/schedules.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { findCars, findProducts, findRelatedCars } from '../store/fleet.js';
import { findMemos } from '../store/memos.js';
import type { ReservationRow } from '../store/reservations.js';
import { findSchedules } from '../store/schedules.js';
import type { Call, Handlers } from './call.js';
import { dayBounds } from './days.js';
import { listing, pageOf } from './page.js';

const one = { after: 0, limit: 1 };

/** The operations of the wire profile in terms of actions and queries. */
export function createHandlers(sandbox: Sandbox): Handlers {
  const { db, profile } = sandbox;
  const target = ({ params, caller }: Call<{ id: number }, unknown, unknown>) => ({
    reservationId: params.id,
    companyId: caller.companyId,
  });
  const schedule = ({ params, caller }: Call<{ id: number }, unknown, unknown>) => ({
    scheduleId: params.id,
    companyId: caller.companyId,
  });
  return {
    book: ({ body }) => book(sandbox, body),
    dispatchStaff: (call) => receipt(assignStaff(sandbox, target(call), 'dispatchStaff', call.body)),
    dispatchStart: (call) => receipt(moveTo(sandbox, target(call), 'dispatchStart')),
    dispatchParkingImage: (call) =>
      receipt(addPhoto(sandbox, target(call), 'dispatchParkingImage', call.photo, call.body)),
    dispatchCarImage: (call) => receipt(addPhoto(sandbox, target(call), 'dispatchCarImage', call.photo)),
    dispatchComplete: (call) => receipt(moveTo(sandbox, target(call), 'dispatchComplete', call.body)),
    recallStaff: (call) => receipt(assignStaff(sandbox, target(call), 'recallStaff', call.body)),
    recallCarImage: (call) => receipt(addPhoto(sandbox, target(call), 'recallCarImage', call.photo)),
    recallComplete: (call) => receipt(moveTo(sandbox, target(call), 'recallComplete')),
    listProducts: async ({ caller, query: { page, ...filter } }) => {
      const limits = pageOf(profile, page);
      return listing(
        limits,
        await findProducts(db, caller.companyId, filter, limits),
        (item) => item.productId,
      );
    },
    getProduct: async ({ caller, params }) => {
      const [product] = await findProducts(db, caller.companyId, { productId: params.id }, one);
      return requireFound(product, 'product', params.id);
    },
    listProductsOfFare: async ({ caller, params: { fareId }, query }) => {
      const [product] = await findProducts(db, caller.companyId, { fareId }, one);
      requireFound(product, 'product of the fare plan', fareId);
      const limits = pageOf(profile, query.page);
      return listing(
        limits,
        await findProducts(db, caller.companyId, { fareId }, limits),
        (item) => item.productId,
      );
    },
    listRelatedCars: async ({ caller, params, query }) => {
      const [product] = await findProducts(db, caller.companyId, { productId: params.id }, one);
      const limits = pageOf(profile, query.page);
      const { productId } = requireFound(product, 'product', params.id);
      return listing(limits, await findRelatedCars(db, productId, limits), (item) => item.carId);
    },
    // G17: the profile has it in the body or in the query
    setSaleStatus: ({ caller, params: { id, carId }, query, body }) =>
      setSaleStatus(sandbox, caller.companyId, id, carId, body?.saleYn ?? query.saleYn),
    listCars: async ({ caller, query: { page, ...filter } }) => {
      const limits = pageOf(profile, page);
      return listing(limits, await findCars(db, caller.companyId, filter, limits), (item) => item.carId);
    },
    getCar: async ({ caller, params }) => {
      const [car] = await findCars(db, caller.companyId, { carId: params.id }, one);
      return requireFound(car, 'car', params.id);
    },
    listCarMemos: async ({ caller, params, query }) => {
      const [car] = await findCars(db, caller.companyId, { carId: params.id }, one);
      const { carId } = requireFound(car, 'car', params.id);
      const limits = pageOf(profile, query.page);
      return listing(limits, await findMemos(db, carId, limits), (item) => item.memoId);
    },
    addCarMemo: ({ caller, params, body }) => addMemo(sandbox, caller.companyId, params.id, body),
    listSchedules: async ({ caller, query: { page, startDate, endDate, ...filter } }) => {
      const limits = pageOf(profile, page);
      if (endDate < startDate) return { items: [] };
      const query = {
        companyId: caller.companyId,
        ...dayBounds(profile.zone, startDate, endDate),
        ...filter,
      };
      return listing(limits, await findSchedules(db, query, limits), (item) => item.carId);
    },
    getSchedule: (call) => showSchedule(sandbox, schedule(call)),
    addSchedule: ({ caller, body }) => addSchedule(sandbox, caller.companyId, body),
    changeSchedule: (call) => changeSchedule(sandbox, schedule(call), call.body),
    deleteSchedule: (call) => deleteSchedule(sandbox, schedule(call)),
  };
}

/** The answer of the eight commands (G16). */
async function receipt(change: Promise<ReservationRow>) {
  const { reservationId, status } = await change;
  return { reservationId, reservationStatus: status };
}

function requireFound<T>(value: T | undefined, what: string, id: number): T {
  if (value === undefined) throw new Refusal('NOT_FOUND', `there is no ${what} ${id}`);
  return value;
}
