import type { FastifyRequest } from 'fastify';
import type { HoldCommandView, HoldFacts, HoldRequest } from '../../domain/hold/index.js';
import { markOf } from '../../store/sealing/mark.js';
import type { HoldCommandAnswer, HoldCommandRequest, KnownHold } from '../../temporal/client/holds/types.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { links } from '../http/openapi.js';
import { platformRefusal } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { needsKey } from '../http/unread.js';
import { proposedHold } from './proposed.js';
import {
  changeHoldBody,
  holdBody,
  holdList,
  holdListQuery,
  holdParams,
  holdShown,
  proposalIds,
  releaseHoldBody,
  resolveHoldBody,
} from './schemas.js';
import { holdItem, holdWithoutPersonalData } from './view.js';

/** Cars out of service (docs/fleet.md, F01-F19). */
export function holdRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;
  const tags = ['holds'];
  const headers = writeHeaders;
  const params = holdParams;
  const response = { 200: holdShown, 202: holdShown, ...problems };

  api.post(
    '/api/holds',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Take a car out of service, or accept the proposal of a reservation',
        tags,
        headers,
        body: holdBody,
        response: { 201: holdShown, 202: holdShown, ...problems },
      },
      links: { 201: links.hold, 202: links.hold },
    },
    async (request, reply) => {
      needsKey(deps.fleet.roles, 'supplier');
      const answer = await deps.holds.make(await asked(request, request.body));
      deps.fleet.catalogue.forgetWritten();
      if (answer.kind === 'overlaps') throw overlaps(answer.other, write);
      if (answer.kind === 'refused') throw new Problem(answer.refusal.code, answer.refusal.message);
      const { hold } = answer;
      if (hold.refused !== null && hold.state === 'refused') throw notPlaced(hold, hold.refused);
      const isWaiting = hold.state === 'placing' || hold.state === 'releasing' || hold.state === 'attention';
      return reply
        .code(isWaiting ? 202 : 201)
        .header('location', `/api/holds/${hold.holdId}`)
        .send(hold);
    },
  );

  async function asked(request: FastifyRequest, body: typeof holdBody._zod.output): Promise<HoldRequest> {
    const { name: by } = callerOf(request);
    const mark = (holdId: string) => markOf(holdId, body);
    if ('proposalId' in body) {
      const { proposalId } = body;
      const known = await deps.holds.view(proposalId);
      if (known?.open === false && known.state !== 'refused') throw proposalUsed(known);
      const wish = await proposedHold(deps, proposalId, known);
      return { ...wish, holdId: proposalId, by, mark: mark(proposalId) };
    }
    const holdId = request.headers['idempotency-key'] as string;
    if (proposalIds.test(holdId)) throw isProposalId();
    const { carId, startAt, endAt, reason, withdrawFromSale = false } = body;
    const period = { start: startAt, end: endAt };
    return { holdId, carId, period, reason, withdrawFromSale, reservationId: null, by, mark: mark(holdId) };
  }

  listRoute(api, context, {
    path: '/api/holds',
    summary: 'Holds',
    tag: 'holds',
    query: holdListQuery,
    answer: holdList,
    read: (query) => deps.holds.list(query),
    show: holdItem,
  });

  api.get(
    '/api/holds/:id',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'One hold; what people wrote is null for viewers',
        tags,
        params,
        response: { 200: holdShown, ...problems },
      },
    },
    async (request) => {
      const hold = await deps.holds.view(request.params.id);
      if (hold === undefined) throw noHold(request.params.id);
      return callerOf(request).role === 'viewer' ? holdWithoutPersonalData(hold) : hold;
    },
  );

  api.put(
    '/api/holds/:id',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Extend, shorten or move a hold',
        tags,
        params,
        headers,
        body: changeHoldBody,
        response,
      },
    },
    async (request, reply) => {
      const { startAt: start, endAt: end, reason } = request.body;
      const input = {
        ...commandBy(request),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...(reason !== undefined && { reason }),
      };
      const { status, body } = await sendCommand(request.params.id, { name: 'change', input });
      return reply.code(status).send(body);
    },
  );

  api.delete(
    '/api/holds/:id',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Release a hold early, or again',
        tags,
        params,
        headers,
        body: releaseHoldBody,
        response,
      },
    },
    async (request, reply) => {
      const input = { ...commandBy(request), reason: request.body.reason ?? null };
      const { status, body } = await sendCommand(request.params.id, { name: 'release', input });
      return reply.code(status).send(body);
    },
  );

  api.post(
    '/api/holds/:id/resolve',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Take what is stuck of a hold as it stands',
        tags,
        params,
        headers,
        body: resolveHoldBody,
        response,
      },
    },
    async (request, reply) => {
      const input = { ...commandBy(request), reason: request.body.reason };
      const { status, body } = await sendCommand(request.params.id, { name: 'resolve', input });
      return reply.code(status).send(body);
    },
  );

  async function sendCommand(
    holdId: string,
    command: HoldCommandRequest,
  ): Promise<{ status: 200 | 202; body: KnownHold }> {
    needsKey(deps.fleet.roles, 'supplier');
    const answer = await deps.holds.sendCommand(holdId, command);
    // F28: also where it may have happened
    deps.fleet.catalogue.forgetWritten();
    return outcomeOf(holdId, answer, write);
  }
}

function commandBy(request: FastifyRequest): { commandId: string; by: string } {
  return { commandId: request.headers['idempotency-key'] as string, by: callerOf(request).name };
}

function outcomeOf(
  holdId: string,
  answer: HoldCommandAnswer,
  write: WriteMoment,
): { status: 200 | 202; body: KnownHold } {
  switch (answer.kind) {
    case 'answered': {
      const { command, hold } = answer;
      if (command.outcome === 'rejected') throw notDone(command);
      return { status: command.outcome === 'out' ? 202 : 200, body: hold };
    }
    case 'pending':
      return { status: 202, body: answer.hold };
    case 'overlaps':
      throw overlaps(answer.other, write);
    case 'no-hold':
      throw noHold(holdId);
    case 'refused':
      throw new Problem(answer.refusal.code, answer.refusal.message);
  }
}

/** F09: the id may be one of the platform's schedule. */
function noHold(holdId: string): Problem {
  const hint = /^\d+$/.test(holdId)
    ? ` An entry of the platform's schedule is not a hold; one of a reservation (type R) can be neither edited nor deleted, it changes with its reservation.`
    : '';
  return new Problem('HOLD_NOT_FOUND', `There is no hold of this id.${hint}`);
}

function overlaps({ holdId, period }: HoldFacts, write: WriteMoment): Problem {
  const until = write(period.end);
  return new Problem(
    'HOLD_OVERLAPS',
    `Hold ${holdId} has the car in this period, until ${until}: change or release that one, or choose another period.`,
    { members: { holdId } },
  );
}

/** F14: a hold that is over holds no car, and a proposal makes one hold. */
function proposalUsed({ holdId, state }: KnownHold): Problem {
  return new Problem(
    'HOLD_OVER',
    `The hold of this proposal is over (${state}), and a proposal makes one: make a hold with carId, startAt and endAt where the car is still to be held.`,
    { members: { holdId } },
  );
}

/** F15: it would block the proposal. */
function isProposalId(): Problem {
  const detail =
    'idempotency-key: this one is for the hold that a reservation proposes ({ proposalId }); take another, such as a UUID.';
  return new Problem('IDEMPOTENCY_KEY_INVALID', detail);
}

function notPlaced({ holdId, carId }: KnownHold, { code, message, ...why }: Why): Problem {
  if (code === 'NOT_FOUND') {
    return new Problem('CAR_NOT_FOUND', `The platform knows no car ${carId} of this company.`);
  }
  return platformRefusal(code, message, 409, { holdId, ...why });
}

type Why = NonNullable<HoldCommandView['refused']>;

function notDone({ commandId, refused }: HoldCommandView): Problem {
  const { code, message, ...why } = refused ?? { code: 'HOLD_OVER', message: 'The hold is over.' };
  if (code === 'HOLD_OVER' || code === 'HOLD_ENTRY_GONE')
    return new Problem(code, message, { members: { commandId } });
  return platformRefusal(code, message, 409, { commandId, ...why });
}
