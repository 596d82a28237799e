import type { FastifyRequest } from 'fastify';
import type { HoldRequest } from '../../domain/hold/index.js';
import { startMarkOf } from '../../store/sealing/mark.js';
import type { HoldCommandAnswer, HoldCommandRequest, KnownHold } from '../../temporal/client/holds/types.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { links } from '../http/openapi.js';
import { requireKey } from '../http/platform-roles.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { recordRead } from '../http/record-read.js';
import { type Reply, rendered } from '../http/sentences.js';
import { readProposedHold } from './proposed.js';
import { noHold, notDone, notPlaced, overlapProblem, proposalIdProblem, proposalUsed } from './refusals.js';
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
  const { deps, write, sentences, requires } = context;
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
      requireKey(deps.fleet.roles, 'supplier');
      const answer = await deps.holds.make(await toRequest(request, request.body));
      deps.fleet.catalogue.forgetWritten();
      if (answer.kind === 'overlaps') throw overlapProblem(answer.other, write);
      if (answer.kind === 'refused') throw new Problem(answer.refusal.code, answer.refusal.message);
      const { hold } = answer;
      if (hold.refused !== null && hold.state === 'refused') throw notPlaced(hold, hold.refused);
      const isWaiting = hold.state === 'placing' || hold.state === 'releasing' || hold.state === 'attention';
      return reply
        .code(isWaiting ? 202 : 201)
        .header('location', `/api/holds/${hold.holdId}`)
        .send(await shownHold(request, reply, hold));
    },
  );

  /** Staff who are shown texts of a hold that is over are in the audit, also where an earlier request is repeated. */
  async function shownHold(request: FastifyRequest, reply: Reply, hold: KnownHold) {
    const { name, role } = callerOf(request);
    if (role !== 'viewer' && !hold.open)
      await recordRead(deps, name, { action: 'hold.read', subject: `hold/${hold.holdId}` });
    return rendered(hold, sentences(reply));
  }

  async function toRequest(request: FastifyRequest, body: typeof holdBody._zod.output): Promise<HoldRequest> {
    const { name: by } = callerOf(request);
    const mark = (holdId: string) => startMarkOf(holdId, body);
    if ('proposalId' in body) {
      const { proposalId } = body;
      const known = await deps.holds.view(proposalId);
      if (known?.open === false && known.state !== 'refused') throw proposalUsed(known);
      const wish = await readProposedHold(deps, proposalId, known);
      return { ...wish, holdId: proposalId, by, mark: mark(proposalId) };
    }
    const holdId = request.headers['idempotency-key'] as string;
    if (proposalIds.test(holdId)) throw proposalIdProblem();
    const { carId, startAt, endAt, reason, withdrawFromSale = false } = body;
    const period = { start: startAt, end: endAt };
    return { holdId, carId, period, reason, withdrawFromSale, reservationId: null, by, mark: mark(holdId) };
  }

  listRoute(api, context, {
    path: '/api/holds',
    role: 'viewer',
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
        summary: 'One hold; what staff wrote is null for viewers',
        tags,
        params,
        response: { 200: holdShown, ...problems },
      },
    },
    async (request, reply) => {
      const hold = await deps.holds.view(request.params.id);
      if (hold === undefined) throw noHold(request.params.id);
      const shown = await shownHold(request, reply, hold);
      return callerOf(request).role === 'viewer' ? holdWithoutPersonalData(shown) : shown;
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
      return reply.code(status).send(await shownHold(request, reply, body));
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
      return reply.code(status).send(await shownHold(request, reply, body));
    },
  );

  api.post(
    '/api/holds/:id/resolve',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Accept the blocked steps of a hold as they are',
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
      return reply.code(status).send(await shownHold(request, reply, body));
    },
  );

  async function sendCommand(
    holdId: string,
    command: HoldCommandRequest,
  ): Promise<{ status: 200 | 202; body: KnownHold }> {
    requireKey(deps.fleet.roles, 'supplier');
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
      throw overlapProblem(answer.other, write);
    case 'no-hold':
      throw noHold(holdId);
    case 'refused':
      throw new Problem(answer.refusal.code, answer.refusal.message);
  }
}
