import { Problem } from '../../http/problem.js';
import { callerOf } from '../auth.js';
import { platformRefusal } from '../outcome.js';
import { booked, bookingBody, bookingPending } from '../schemas/booking.js';
import { writeHeaders } from '../schemas/fields.js';
import { problems } from '../schemas/problem.js';
import type { Api, RouteContext } from './context.js';

/** Refusals that speak of the request's own form. */
const unfit = ['INVALID_REQUEST', 'INVALID_INPUT'];

/** POST /api/reservations: books as a demand channel (specification, POST /reservations; G11). */
export function bookingRoutes(api: Api, { deps, write, requires }: RouteContext): void {
  api.post(
    '/api/reservations',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Book as a demand channel',
        tags: ['reservations'],
        headers: writeHeaders,
        body: bookingBody,
        response: { 201: booked, 202: bookingPending, ...problems },
      },
    },
    async (request, reply) => {
      const commandId = request.headers['idempotency-key'];
      const result = await deps.bookings.book({
        commandId,
        by: callerOf(request).name,
        request: request.body,
      });
      switch (result.outcome) {
        case 'applied': {
          const { reservationId, status, carNumber, pickupAt, returnAt } = result;
          return reply
            .code(201)
            .header('location', `/api/reservations/${reservationId}`)
            .send({ reservationId, status, carNumber, pickupAt: write(pickupAt), returnAt: write(returnAt) });
        }
        case 'rejected':
          throw platformRefusal(result.code, result.message, unfit.includes(result.code) ? 422 : 409, {
            commandId,
          });
        case 'reused':
          throw new Problem(
            'COMMAND_ID_REUSED',
            'This Idempotency-Key stands for another booking; take a new one.',
          );
        case 'pending':
          return reply.code(202).send({ commandId, outcome: 'out', code: null });
        case 'unknown':
          return reply.code(202).send({ commandId, outcome: 'unknown', code: result.code });
      }
    },
  );
}
