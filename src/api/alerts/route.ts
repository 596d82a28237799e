import type { Api, RouteContext } from '../http/context.js';
import { problems } from '../http/problem-schema.js';
import { alertList, alertQuery } from './schemas.js';

/** GET /api/alerts: what belongs to no reservation; a reservation's own stands in its `attention`. */
export function alertRoute(api: Api, { deps, write, requires }: RouteContext): void {
  api.get(
    '/api/alerts',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'Alerts that belong to no reservation',
        tags: ['operations'],
        querystring: alertQuery,
        response: { 200: alertList, ...problems },
      },
    },
    async (request) => {
      const { items, nextCursor, asOf } = await deps.alerts.list(request.query);
      return {
        items: items.map(({ kind, subject, since, message, clearedAt }) => ({
          kind,
          subject,
          since: write(since),
          message,
          clearedAt: clearedAt === null ? null : write(clearedAt),
        })),
        nextCursor,
        asOf: write(asOf),
      };
    },
  );
}
