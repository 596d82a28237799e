import { z } from 'zod';
import type { CommandReceipt, ParkingFacts, Role } from '../../model.js';
import type { Operation, Operations, PhotoBody, Schema } from '../../profile.js';
import { plainArray } from '../codecs/objects.js';
import { integerText } from '../codecs/values.js';
import { car } from './car.js';
import { product, relatedCar } from './product.js';
import * as request from './requests.js';
import { carSchedules } from './schedule.js';

type None = Record<string, never>;
type Path = `/${string}`;

/** G26. */
const channel: readonly Role[] = ['channel'];
const supplier: readonly Role[] = ['supplier'];
const both: readonly Role[] = ['channel', 'supplier'];

const none: Schema<None> = z.object({});
const byId: Schema<{ id: number }> = z.object({ id: integerText });
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

/** One of the eight commands; their answer is G16. */
function command<Body = None>(
  method: 'PUT' | 'POST',
  step: Path,
  body: Operation<never, never, Body, never>['body'],
): Operation<{ id: number }, None, Body, CommandReceipt | undefined> {
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

/** The endpoints served so far; success is 200 everywhere (G24). */
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
  listRelatedCars: read('/product/{id}/relatedCar', both, byId, none, plainArray(relatedCar)),
  listCars: read('/car', both, none, request.carFilter, plainArray(car)),
  getCar: read('/car/{id}', both, byId, none, car),
  listSchedules: read('/schedule', supplier, none, request.scheduleFilter, plainArray(carSchedules)),
};
