import { inboxList, inboxQuery } from '../schemas/lists.js';
import { problems } from '../schemas/problem.js';
import type { Api, RouteContext } from './context.js';

/** GET /api/inbox: the callbacks as they came, with their verdicts; bodies stay where they are (L60). */
export function inboxRoute(api: Api, { deps, write, requires }: RouteContext): void {
  api.get(
    '/api/inbox',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'Callbacks and their verdicts',
        tags: ['inbox'],
        querystring: inboxQuery,
        response: { 200: inboxList, ...problems },
      },
    },
    async (request) => {
      const { items, nextCursor, asOf } = await deps.inbox.list(request.query);
      return {
        items: items.map(({ receivedAt, sentAt, verdictAt, ...item }) => ({
          ...item,
          receivedAt: write(receivedAt),
          sentAt: sentAt === null ? null : write(sentAt),
          verdictAt: verdictAt === null ? null : write(verdictAt),
        })),
        nextCursor,
        asOf: write(asOf),
      };
    },
  );
}
