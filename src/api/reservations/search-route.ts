import type { Api, RouteContext } from '../http/context.js';
import { problems } from '../http/problem-schema.js';
import { personSearch, reservationList } from './list-schemas.js';
import { toItem } from './routes.js';

/** POST /api/reservations/search: by a person's name, which a body has and no address. It changes nothing. */
export function searchRoute(api: Api, { deps, write, requires }: RouteContext): void {
  api.post(
    '/api/reservations/search',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Open reservations of a person, by the whole name',
        tags: ['reservations'],
        body: personSearch,
        response: { 200: reservationList, ...problems },
      },
    },
    async ({ body }) => {
      const { items, nextCursor, asOf, count } = await deps.lists.open(body);
      return { items: items.map((item) => toItem(item, write)), nextCursor, asOf: write(asOf), count };
    },
  );
}
