import type { Api, RouteContext } from '../http/context.js';
import { problems } from '../http/problem-schema.js';
import { auditList, auditQuery } from './schemas.js';

/** GET /api/audit: what people changed beside the reservations, and why; a reservation's own story tells the rest. */
export function auditRoute(api: Api, { deps, write, requires }: RouteContext): void {
  api.get(
    '/api/audit',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Who changed what beside the reservations, and why',
        tags: ['operations'],
        querystring: auditQuery,
        response: { 200: auditList, ...problems },
      },
    },
    async (request) => {
      const { items, nextCursor, asOf } = await deps.audit.list(request.query);
      return { items: items.map((line) => ({ ...line, at: write(line.at) })), nextCursor, asOf: write(asOf) };
    },
  );
}
