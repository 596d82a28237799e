import { requestIdOf } from '../../store/findings/adopt.js';
import type { Finding } from '../../store/findings/findings.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { links } from '../http/openapi.js';
import { decisionOutcome, refusedKey } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import { adoptBody, finding, findingList, findingParams, findingQuery } from './schemas.js';

const tags = ['findings'];

/** Findings of the reconciliation, and the adoption of a reservation that no callback reported (F41-F49). */
export function findingRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;
  listRoute(api, context, {
    path: '/api/findings',
    role: 'viewer',
    summary: "What the platform's schedule and the reservations do not agree on",
    tag: 'findings',
    query: findingQuery,
    answer: findingList,
    read: (query) => deps.findings.list(query),
    show: toView,
  });

  api.post(
    '/api/findings/:id/adopt',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'State whose an undiscovered entry is: its reservation gets car and period of the entry',
        tags,
        params: findingParams,
        headers: writeHeaders,
        body: adoptBody,
        response: { 200: finding, ...problems },
      },
      links: { 200: links.reservation('$response.body#/reservationId') },
    },
    async (request) => {
      const { reservationId, status, reason } = request.body;
      const found = await deps.findings.read(request.params.id);
      if (found === undefined) throw notFound(request.params.id);
      const commandId = request.headers['idempotency-key'];
      const adoption = { finding: found, reservationId, status, reason, commandId };
      if (await deps.findings.isReused(adoption)) throw refusedKey();
      if (found.state === 'adopted' && found.reservationId === reservationId) return toView(found, write);
      refuseUnadoptable(found);
      const by = callerOf(request).name;
      const { carId, startAt, endAt } = found;
      const facts = { carId, startAt, endAt, ...(status !== undefined && { status }), reason, by };
      decisionOutcome(
        reservationId,
        await deps.reservations.applyDecision(reservationId, 'assertFacts', facts, requestIdOf(adoption)),
      );
      const adopted = await deps.findings.adopt({ ...adoption, by });
      const now = adopted === 'reused' ? await deps.findings.read(found.id) : adopted;
      const other = now?.reservationId ?? reservationId;
      if (other !== reservationId) {
        throw new Problem(
          'FINDING_CLOSED',
          message('api.finding-adopted-twice', { id: found.id, other, reservationId }),
        );
      }
      if (adopted === 'reused') throw refusedKey();
      return toView(adopted, write);
    },
  );
}

function refuseUnadoptable({ id, kind, state, reservationId }: Finding): void {
  if (kind !== 'undiscovered') {
    throw new Problem('FINDING_NOT_ADOPTABLE', message('api.finding-known', { id, reservationId }));
  }
  if (state === 'adopted') {
    throw new Problem('FINDING_CLOSED', message('api.finding-adopted', { id, reservationId }));
  }
  if (state === 'gone') {
    throw new Problem('FINDING_CLOSED', message('api.finding-gone', { id }));
  }
}

function notFound(id: number): Problem {
  return new Problem('FINDING_NOT_FOUND', message('api.no-finding', { id }));
}

function toView({ startAt, endAt, firstSeenAt, lastSeenAt, closedAt, ...rest }: Finding, write: WriteMoment) {
  return {
    ...rest,
    period: { start: write(startAt), end: write(endAt) },
    firstSeenAt: write(firstSeenAt),
    lastSeenAt: write(lastSeenAt),
    closedAt: closedAt === null ? null : write(closedAt),
  };
}
