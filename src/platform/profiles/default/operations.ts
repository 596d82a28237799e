import { z } from 'zod';
import type { CommandReceipt, ParkingFacts, Received, Role } from '../../model.js';
import type { Operation, Operations, PhotoBody, Schema } from '../../profile.js';
import { plainArray } from '../codecs/objects.js';
import { integerText } from '../codecs/values.js';
import { car, carMemo, carMemoRequest } from './car.js';
import { product, relatedCar, saleChoice, saleStatus } from './product.js';
import * as request from './requests.js';
import { carSchedules, schedule, scheduleRequest } from './schedule.js';

type None = Record<string, never>;
type Path = `/${string}`;

/** G26. */
const channel: readonly Role[] = ['channel'];
const supplier: readonly Role[] = ['supplier'];
const both: readonly Role[] = ['channel', 'supplier'];

const none: Schema<None> = z.object({});
const byId: Schema<{ id: number }> = z.object({ id: integerText });
const byFare: Schema<{ fareId: number }> = z.object({ fareId: integerText });
const byProductAndCar: Schema<{ id: number; carId: number }> = z.object({
  id: integerText,
  carId: integerText,
});
const noBody = { kind: 'none' } as const;

/** G15. */
function photo<T>(fields: Schema<T>): PhotoBody<T> {
  return {
    kind: 'photo',
    fileField: 'image',
    maxBytes: 10 * 1024 * 1024,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    fields,
  };
}

/** One of the eight commands (answer: G16). */
function command<Body = None>(
  method: 'PUT' | 'POST',
  step: Path,
  body: Operation<never, never, Body, never>['body'],
): Operation<{ id: number }, None, Body, Received<CommandReceipt> | undefined> {
  const path: Path = `/developer/v1/reservation/{id}${step}`;
  const success = { status: 200, schema: request.commandReceipt };
  return { method, path, roles: supplier, params: byId, query: none, body, success };
}

function read<Params, Query, Out>(
  path: Path,
  roles: readonly Role[],
  params: Schema<Params>,
  query: Schema<Query>,
  schema: Schema<Out>,
): Operation<Params, Query, None, Out> {
  return { method: 'GET', path, roles, params, query, body: noBody, success: { status: 200, schema } };
}

function write<Params, Body, Out>(
  method: 'POST' | 'PUT',
  path: Path,
  params: Schema<Params>,
  body: Schema<Body>,
  schema: Schema<Out>,
): Operation<Params, None, Body, Out> {
  return {
    method,
    path,
    roles: supplier,
    params,
    query: none,
    body: { kind: 'json', schema: body },
    success: { status: 200, schema },
  };
}

/** Every endpoint of the specification. Success is 200 (G24), or 204 without a body for a deletion (G20). */
export const operations: Operations = {
  book: {
    method: 'POST',
    path: '/reservations',
    roles: channel,
    params: none,
    query: none,
    body: { kind: 'json', schema: request.bookingRequest },
    success: { status: 200, schema: request.bookingAnswer },
  },
  dispatchStaff: command('PUT', '/dispatch/staff', { kind: 'json', schema: request.staffAssignment }),
  dispatchStart: command('PUT', '/dispatch/start', noBody),
  dispatchParkingImage: command<ParkingFacts>('POST', '/dispatch/parkingImage', photo(request.parkingFields)),
  dispatchCarImage: command('POST', '/dispatch/carImage', photo(none)),
  dispatchComplete: command('PUT', '/dispatch/complete', { kind: 'json', schema: request.parkingFacts }),
  recallStaff: command('PUT', '/recall/staff', { kind: 'json', schema: request.staffAssignment }),
  recallCarImage: command('POST', '/recall/carImage', photo(none)),
  recallComplete: command('PUT', '/recall/complete', noBody),
  listProducts: read('/product', both, none, request.productFilter, plainArray(product)),
  getProduct: read('/product/{id}', both, byId, none, product),
  listProductsOfFare: read('/product/fareId/{fareId}', both, byFare, none, plainArray(product)),
  listRelatedCars: read('/product/{id}/relatedCar', both, byId, none, plainArray(relatedCar)),
  setSaleStatus: write(
    'PUT',
    '/product/{id}/car/{carId}/sale_status',
    byProductAndCar,
    saleChoice,
    saleStatus,
  ),
  listCars: read('/car', both, none, request.carFilter, plainArray(car)),
  getCar: read('/car/{id}', both, byId, none, car),
  listCarMemos: read('/car/{id}/memo', supplier, byId, none, plainArray(carMemo)),
  addCarMemo: write('POST', '/car/{id}/memo', byId, carMemoRequest, carMemo),
  listSchedules: read('/schedule', supplier, none, request.scheduleFilter, plainArray(carSchedules)),
  getSchedule: read('/schedule/{id}', supplier, byId, none, schedule),
  // G42: POST and PUT have the same body; G20: both answer with the schedule
  addSchedule: write('POST', '/schedule', none, scheduleRequest, schedule),
  changeSchedule: write('PUT', '/schedule/{id}', byId, scheduleRequest, schedule),
  deleteSchedule: {
    method: 'DELETE',
    path: '/schedule/{id}',
    roles: supplier,
    params: byId,
    query: none,
    body: noBody,
    success: { status: 204 },
  },
};
