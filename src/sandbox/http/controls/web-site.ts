import { z } from 'zod';
import { changeCar, changeCompanion, changePeriod } from '../../actions/web-site.js';
import type { Sandbox } from '../../context.js';
import type { ReservationRow } from '../../store/reservations.js';
import type { ControlScope } from './index.js';
import { byId, iso, moment } from './moment.js';

const period = z.strictObject({ startAt: moment.exactOptional(), endAt: moment.exactOptional() });
const car = z.strictObject({ carId: z.int().positive() });
const companion = z.strictObject({
  name: z.string().exactOptional(),
  birth: z
    .string()
    .regex(/^\d{8}$/, 'expected YYYYMMDD')
    .exactOptional(),
  phone: z
    .string()
    .regex(/^\d{1,20}$/, 'expected digits only, without -')
    .exactOptional(),
  licenseNumber: z.string().exactOptional(),
});

/** What people do on the service's web site with a reservation. */
export function registerWebSite(scope: ControlScope, sandbox: Sandbox): void {
  scope.post('/reservations/:id/period', { schema: { params: byId, body: period } }, async (request) =>
    shown(await changePeriod(sandbox, request.params.id, request.body)),
  );
  scope.post('/reservations/:id/car', { schema: { params: byId, body: car } }, async (request) =>
    shown(await changeCar(sandbox, request.params.id, request.body.carId)),
  );
  scope.post('/reservations/:id/companion', { schema: { params: byId, body: companion } }, async (request) =>
    shown(await changeCompanion(sandbox, request.params.id, request.body)),
  );
  scope.delete('/reservations/:id/companion', { schema: { params: byId } }, async (request) =>
    shown(await changeCompanion(sandbox, request.params.id, null)),
  );
}

function shown(row: ReservationRow) {
  const { reservationId, status, carId, startAt, endAt } = row;
  return { reservationId, reservationStatus: status, carId, startAt: iso(startAt), endAt: iso(endAt) };
}
