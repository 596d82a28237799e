import type { Shift } from '../../store/shifts.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { refusedKey } from '../http/outcome.js';
import { problems } from '../http/problem-schema.js';
import { shift, shiftBody, shiftList, shiftQuery } from './schemas.js';

/** Shifts that were accepted, and notes for the next. */
export function shiftRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;
  const { clock = Date.now } = deps;

  api.post(
    '/api/shifts',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Accept the shift, or add a note for the next one',
        tags: ['operations'],
        headers: writeHeaders,
        body: shiftBody,
        response: { 201: shift, ...problems },
      },
    },
    async (request, reply) => {
      const { since = null, note = null } = request.body;
      const entry = { at: clock(), by: callerOf(request).name, since, note };
      const answer = await deps.shifts.add(entry, request.headers['idempotency-key']);
      if (answer === 'reused') throw refusedKey();
      return reply.code(201).send(show(answer, write));
    },
  );

  listRoute(api, context, {
    path: '/api/shifts',
    role: 'staff',
    summary: 'Shifts that were accepted, and notes during them',
    tag: 'operations',
    query: shiftQuery,
    answer: shiftList,
    read: (query) => deps.shifts.list(query),
    show,
  });
}

function show({ at, since, ...rest }: Shift, write: WriteMoment) {
  return { ...rest, at: write(at), since: since === null ? null : write(since) };
}
