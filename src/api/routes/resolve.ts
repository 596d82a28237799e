import { callerOf } from '../auth.js';
import { settled } from '../outcome.js';
import { resolveBody } from '../schemas/commands.js';
import { commandParams, writeHeaders } from '../schemas/fields.js';
import { problems } from '../schemas/problem.js';
import { reservation } from '../schemas/reservation.js';
import type { Api, RouteContext } from './context.js';

/** A manager settles an unknown outcome (L24). */
export function resolveRoute(api: Api, { deps, requires }: RouteContext): void {
  api.post(
    '/api/reservations/:id/commands/:commandId/resolve',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Settle the unknown outcome of a command',
        tags: ['staff actions'],
        params: commandParams,
        headers: writeHeaders,
        body: resolveBody,
        response: { 200: reservation, ...problems },
      },
    },
    async (request) => {
      const { id, commandId } = request.params;
      const input = { commandId, ...request.body, by: callerOf(request).name };
      const requestId = request.headers['idempotency-key'];
      return settled(id, await deps.reservations.resolve(id, input, requestId));
    },
  );
}
