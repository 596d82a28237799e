import { z } from 'zod';
import { anyText, birth, phone, text } from '../../../platform/profiles/codecs/values.js';
import { changeCar, changeCompanion, changeDetails, changePeriod } from '../../actions/web-site.js';
import type { Sandbox } from '../../context.js';
import type { ReservationRow } from '../../store/reservations.js';
import { registerCars } from './cars.js';
import { byId, iso, moment } from './moment.js';
import { registerProducts } from './products.js';
import type { ControlScope } from './scope.js';

const atLeastOne = (value: object) => Object.keys(value).length > 0;

const period = z
  .strictObject({ startAt: moment.exactOptional(), endAt: moment.exactOptional() })
  .refine(atLeastOne, 'expected startAt, endAt or both')
  .meta({ minProperties: 1 });
const car = z.strictObject({ carId: z.int().positive() });
const companion = z.strictObject({
  name: text.exactOptional(),
  birth: birth.exactOptional(),
  phone: phone.exactOptional(),
  licenseNumber: text.exactOptional(),
});
const driver = z
  .strictObject({
    name: text.exactOptional(),
    birth: birth.exactOptional(),
    phone: phone.exactOptional(),
    licenseNumber: text.exactOptional(),
    address: text.exactOptional(),
  })
  .refine(atLeastOne, 'expected at least one field')
  .meta({ minProperties: 1 });
/** Null takes an optional fact away. */
const details = z
  .strictObject({
    driver: driver.exactOptional(),
    pickupAddress: text.exactOptional(),
    pickupMemo: anyText.nullable().exactOptional(),
    parkingMemo: anyText.nullable().exactOptional(),
    parkingLotType: z.literal([0, 1]).nullable().exactOptional(),
  })
  .refine(atLeastOne, 'expected at least one field')
  .meta({ minProperties: 1 });

/** What people do on the service's web site: with a reservation, with cars and with products. */
export function registerWebSite(scope: ControlScope, sandbox: Sandbox): void {
  registerCars(scope, sandbox);
  registerProducts(scope, sandbox);
  scope.post('/reservations/:id/details', { schema: { params: byId, body: details } }, async (request) =>
    toView(await changeDetails(sandbox, request.params.id, request.body)),
  );
  scope.post('/reservations/:id/period', { schema: { params: byId, body: period } }, async (request) =>
    toView(await changePeriod(sandbox, request.params.id, request.body)),
  );
  scope.post('/reservations/:id/car', { schema: { params: byId, body: car } }, async (request) =>
    toView(await changeCar(sandbox, request.params.id, request.body.carId)),
  );
  scope.post('/reservations/:id/companion', { schema: { params: byId, body: companion } }, async (request) =>
    toView(await changeCompanion(sandbox, request.params.id, request.body)),
  );
  scope.delete('/reservations/:id/companion', { schema: { params: byId } }, async (request) =>
    toView(await changeCompanion(sandbox, request.params.id, null)),
  );
}

function toView(row: ReservationRow) {
  const { reservationId, status, carId, startAt, endAt } = row;
  return { reservationId, reservationStatus: status, carId, startAt: iso(startAt), endAt: iso(endAt) };
}
