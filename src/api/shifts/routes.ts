import { z } from 'zod';
import type { Shift } from '../../store/shifts.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { instant, moment, pageLimit, rowCursor, words, writeHeaders } from '../http/fields.js';
import { listOf, listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { refusedKey } from '../http/outcome.js';
import { problems } from '../http/problem-schema.js';

const body = z.strictObject({
  since: instant.describe('From when on what happened was reviewed'),
  note: words(2000).exactOptional().describe('For the next shift; stored encrypted'),
});
export const shift = z
  .object({
    shiftId: z.int(),
    at: moment,
    by: z.string(),
    since: moment,
    note: z.string().nullable(),
  })
  .describe('A shift that a person accepted');

/** Shifts that were accepted, each with a note for the next. */
export function shiftRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;
  const { clock = Date.now } = deps;

  api.post(
    '/api/shifts',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Accept the shift',
        tags: ['operations'],
        headers: writeHeaders,
        body,
        response: { 201: shift, ...problems },
      },
    },
    async (request, reply) => {
      const { since, note = null } = request.body;
      const accepted = { at: clock(), by: callerOf(request).name, since, note };
      const answer = await deps.shifts.accept(accepted, request.headers['idempotency-key']);
      if (answer === 'reused') throw refusedKey();
      return reply.code(201).send(show(answer, write));
    },
  );

  listRoute(api, context, {
    path: '/api/shifts',
    role: 'staff',
    summary: 'Shifts that were accepted',
    tag: 'operations',
    query: z.strictObject({ cursor: rowCursor, limit: pageLimit }),
    answer: listOf(shift).describe('Shifts that were accepted, the last first'),
    read: (query) => deps.shifts.list(query),
    show,
  });
}

function show({ at, since, ...rest }: Shift, write: WriteMoment) {
  return { ...rest, at: write(at), since: write(since) };
}
