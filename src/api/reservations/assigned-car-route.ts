import type { ReservationView } from '../../domain/reservation/index.js';
import { setAge } from '../http/aged.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { reservationParams } from '../http/fields.js';
import { noReservation } from '../http/outcome.js';
import { requireKey } from '../http/platform-roles.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { toReadProblem } from '../http/read-problem.js';
import { viewsFor } from '../http/views.js';
import { message } from '../messages/message.js';
import { assignedCar } from './assigned-car-schema.js';
import { withoutPlace } from './view.js';

/** GET /api/reservations/{id}/assigned-car: what a channel shows its customer from 15 on until the return (F27). */
export function assignedCarRoute(api: Api, { deps, write, requires }: RouteContext): void {
  const { roles, catalogue } = deps.fleet;
  api.get(
    '/api/reservations/:id/assigned-car',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'The assigned car and where it stands, while the customer is to be shown it',
        tags: ['reservations'],
        params: reservationParams,
        response: { 200: assignedCar, ...problems },
      },
    },
    async (request, reply) => {
      requireKey(roles, 'channel');
      const { id } = request.params;
      const view = await deps.reservations.view(id);
      if (view === undefined) throw noReservation(id);
      const { car: believed, display, status } = view;
      if (display !== 'assigned-car' && display !== 'in-use') throw notShown(view);
      if (believed === null) throw notShown(view);
      const car = await catalogue.car('channel', believed.id).catch((error: unknown) => {
        throw toReadProblem(error, 'CAR_NOT_FOUND', { what: 'car', id: believed.id });
      });
      const parking = callerOf(request).role === 'viewer' ? withoutPlace(view.parking) : view.parking;
      return {
        reservationId: id,
        status: { code: status.code, name: status.name },
        display,
        car: viewsFor(request, write).car(car.value),
        parking,
        ...setAge(reply, write, car),
      };
    },
  );
}

function notShown({ status, display, car }: ReservationView): Problem {
  const { code, name } = status;
  const members = { reservationStatus: code, display };
  if (code === null || (code < 15 && car !== null)) {
    const detail = message('api.car-not-yet-shown', { status: code, name });
    return new Problem('ASSIGNED_CAR_NOT_SHOWN', detail, { members });
  }
  const detail =
    car === null
      ? message('api.car-not-known', {})
      : message('api.car-no-longer-shown', { status: code, name });
  return new Problem('ASSIGNED_CAR_NOT_SHOWN', detail, { members });
}
