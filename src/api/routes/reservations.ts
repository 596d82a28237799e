import { statusName } from '../../lifecycle/statuses.js';
import { callerOf } from '../auth.js';
import type { ListItem } from '../deps.js';
import type { WriteMoment } from '../moments.js';
import { noReservation } from '../outcome.js';
import { withoutPersonalData } from '../personal-data.js';
import { reservationParams } from '../schemas/fields.js';
import { listQuery, reservationList, timelineList, timelineQuery } from '../schemas/lists.js';
import { problems } from '../schemas/problem.js';
import { reservation } from '../schemas/reservation.js';
import type { Api, RouteContext } from './context.js';

/** What can be read of reservations: the list, one, and its story. */
export function reservationRoutes(api: Api, { deps, write, requires }: RouteContext): void {
  const tags = ['reservations'];

  api.get(
    '/api/reservations',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'Open reservations, or closed ones',
        tags,
        querystring: listQuery,
        response: { 200: reservationList, ...problems },
      },
    },
    async (request) => {
      const { items, nextCursor, asOf } = await deps.reservations.list(request.query);
      return { items: items.map((item) => shown(item, write)), nextCursor, asOf: write(asOf) };
    },
  );

  api.get(
    '/api/reservations/:id',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'One reservation; personal data is null for viewers',
        tags,
        params: reservationParams,
        response: { 200: reservation, ...problems },
      },
    },
    async (request) => {
      const view = await deps.reservations.view(request.params.id);
      if (view === undefined) throw noReservation(request.params.id);
      return callerOf(request).role === 'viewer' ? withoutPersonalData(view) : view;
    },
  );

  api.get(
    '/api/reservations/:id/timeline',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'The story of one reservation',
        tags,
        params: reservationParams,
        querystring: timelineQuery,
        response: { 200: timelineList, ...problems },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { items, nextCursor, asOf } = await deps.timeline.read(id, request.query);
      if (items.length === 0 && (await deps.reservations.view(id)) === undefined) throw noReservation(id);
      return {
        items: items.map((entry) => ({ ...entry, at: write(entry.at) })),
        nextCursor,
        asOf: write(asOf),
      };
    },
  );
}

function shown({ status, period, ...item }: ListItem, write: WriteMoment) {
  return {
    ...item,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
    period: period === null ? null : { start: write(period.start), end: write(period.end) },
  };
}
