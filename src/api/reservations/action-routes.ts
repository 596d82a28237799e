import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Action, type Command, type PhotoRef, pathOf } from '../../domain/reservation/index.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { reservationParams, writeHeaders } from '../http/fields.js';
import { links } from '../http/openapi.js';
import { actionOutcome } from '../http/outcome.js';
import { problems } from '../http/problem-schema.js';
import { rendered } from '../http/sentences.js';
import { performMeasured } from './action-metrics.js';
import { type ActionFields, commandBody, jsonActions } from './command-schemas.js';
import { shownReservation, withPlatformText } from './owners.js';
import { command, reservation } from './schemas.js';

const itself = links.reservation('$request.path.id');

/** What the API document calls them. */
const summaries: Readonly<Record<Action, string>> = {
  'dispatch.staff': 'Assign the dispatch staff member',
  'dispatch.start': 'Start dispatch: 5 to 10',
  'dispatch.parkingImage': 'Register the parking photo',
  'dispatch.carImage': 'Register the car photo at dispatch',
  'dispatch.complete': 'Complete dispatch: 10 to 15',
  'recall.staff': 'Assign the recall staff member',
  'recall.carImage': 'Register the car photo at recall',
  'recall.complete': 'Complete recall: 30 to 35',
};

/** What the routes of all eight staff actions share. */
export function actionRoute<Body extends z.ZodType>(action: Action, body: Body) {
  return {
    path: `/api/reservations/:id/${pathOf(action)}`,
    config: { action },
    schema: {
      summary: summaries[action],
      tags: ['staff actions'],
      params: reservationParams,
      headers: writeHeaders,
      body,
      response: { 200: reservation, 202: command, ...problems },
    },
    links: { 200: itself, 202: itself },
  };
}

/** The command that a checked request stands for: its id is the Idempotency-Key, its author the token's name. */
export function commandOf(
  request: FastifyRequest,
  action: Action,
  { override, reason, ...body }: ActionFields,
  photo?: PhotoRef,
): Command {
  return {
    commandId: request.headers['idempotency-key'] as string,
    action,
    body: photo === undefined ? body : { ...body, photo },
    by: callerOf(request).name,
    ...(override === true && reason !== undefined && { override: { reason } }),
  };
}

/** The five staff actions without a photo (G13, G14; rules L20-L27). */
export function actionRoutes(api: Api, { deps, requires, sentences }: RouteContext): void {
  for (const action of jsonActions) {
    const { path, ...route } = actionRoute(action, commandBody(action));
    api.put(path, { onRequest: requires('staff'), ...route }, async (request, reply) => {
      const { id } = request.params;
      const command = commandOf(request, action, request.body);
      const answer = await performMeasured(request, deps.reservations, { id, command });
      const { status, body } = actionOutcome(id, answer);
      const render = sentences(reply);
      return status === 200
        ? reply.code(200).send(await shownReservation(deps, callerOf(request), body, render))
        : reply.code(202).send(rendered(withPlatformText(body), render));
    });
  }
}
