import { statusName } from '../../domain/reservation/statuses.js';
import type { ListItem } from '../../temporal/client/reservations/types.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { reservationParams } from '../http/fields.js';
import type { WriteMoment } from '../http/moments.js';
import { noReservation } from '../http/outcome.js';
import { refuseReversed } from '../http/period.js';
import { problems } from '../http/problem-schema.js';
import { listQuery, reservationList, timelineList, timelineQuery } from './list-schemas.js';
import { reservation } from './schemas.js';
import { withoutPersonalData } from './view.js';

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
      refuseReversed(request.query, 'from', 'to');
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
