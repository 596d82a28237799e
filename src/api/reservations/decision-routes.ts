import type { FastifyRequest } from 'fastify';
import type { ManagerDecision, ManagerDecisions } from '../../contract/reservation.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { commandParams, reservationParams, writeHeaders } from '../http/fields.js';
import { links } from '../http/openapi.js';
import { decisionOutcome } from '../http/outcome.js';
import { problems } from '../http/problem-schema.js';
import type { Reply } from '../http/sentences.js';
import { assertBody, attentionParams, resolveAttentionBody, resolveBody } from './decision-schemas.js';
import { shownReservation } from './owners.js';
import { reservation } from './schemas.js';

const response = { 200: reservation, ...problems };
const tags = ['settling'];

/** Decisions that only a manager makes, each with a reason that is stored. */
export function decisionRoutes(api: Api, { deps, requires, sentences }: RouteContext): void {
  const onRequest = requires('manager');
  async function decide<S extends ManagerDecision>(
    id: number,
    name: S,
    input: ManagerDecisions[S],
    request: FastifyRequest,
    reply: Reply,
  ) {
    const key = request.headers['idempotency-key'] as string;
    const answer = await deps.reservations.applyDecision(id, name, input, key);
    return shownReservation(deps, callerOf(request), decisionOutcome(id, answer), sentences(reply));
  }

  api.put(
    '/api/reservations/:id',
    {
      onRequest,
      schema: {
        summary: 'Assert facts: adopt a reservation, resolve a conflict or an ambiguity',
        tags,
        params: reservationParams,
        headers: writeHeaders,
        body: assertBody,
        response,
      },
      links: { 200: links.reservation('$request.path.id') },
    },
    async (request, reply) => {
      const { id } = request.params;
      const input = { ...request.body, by: callerOf(request).name };
      return decide(id, 'assertFacts', input, request, reply);
    },
  );

  api.post(
    '/api/reservations/:id/attention/:kind/resolve',
    {
      onRequest,
      schema: {
        summary: 'Resolve an attention item',
        tags,
        params: attentionParams,
        headers: writeHeaders,
        body: resolveAttentionBody,
        response,
      },
    },
    async (request, reply) => {
      const { id, kind } = request.params;
      const input = { kind, ...request.body, by: callerOf(request).name };
      return decide(id, 'resolveAttention', input, request, reply);
    },
  );

  api.post(
    '/api/reservations/:id/commands/:commandId/resolve',
    {
      onRequest,
      schema: {
        summary: 'Resolve the unknown outcome of a command (L24)',
        tags,
        params: commandParams,
        headers: writeHeaders,
        body: resolveBody,
        response,
      },
    },
    async (request, reply) => {
      const { id, commandId } = request.params;
      const input = { commandId, ...request.body, by: callerOf(request).name };
      return decide(id, 'resolveCommand', input, request, reply);
    },
  );
}
