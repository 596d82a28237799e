import { targetOf } from '../../domain/reservation/actions.js';
import { statusName } from '../../domain/reservation/statuses.js';
import type { ListFilter, ListItem, OpenFilter } from '../../store/reservations/list.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { reservationParams } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { noReservation } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import { listQuery, reservationList, timelineList, timelineQuery } from './list-schemas.js';
import { shownReservation } from './owners.js';
import { reservation } from './schemas.js';
import { toTimelineEntry } from './timeline-view.js';
import { withoutPersonalData } from './view.js';

/** Reads of reservations: the list, one reservation, its timeline. */
export function reservationRoutes(api: Api, context: RouteContext): void {
  const { deps, requires, sentences } = context;
  const tags = ['reservations'];

  listRoute(api, context, {
    path: '/api/reservations',
    role: 'viewer',
    summary: 'Open reservations, or closed ones',
    tag: 'reservations',
    query: listQuery,
    answer: reservationList,
    read: async ({ closed = false, ...filter }) =>
      closed ? deps.lists.closed(ofClosed(filter)) : deps.lists.open(filter),
    show: toItem,
  });

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
    async (request, reply) => {
      const view = await deps.reservations.view(request.params.id);
      if (view === undefined) throw noReservation(request.params.id);
      const caller = callerOf(request);
      const shown = await shownReservation(deps, caller, view, sentences(reply));
      return caller.role === 'viewer' ? withoutPersonalData(shown) : shown;
    },
  );

  listRoute(api, context, {
    path: '/api/reservations/:id/timeline',
    role: 'viewer',
    summary: 'The story of one reservation',
    tag: 'reservations',
    query: timelineQuery,
    params: reservationParams,
    answer: timelineList,
    async read(query, { id }) {
      const page = await deps.timeline.read(id, query);
      // the page after the last entry is empty, too
      if (
        query.cursor === undefined &&
        page.items.length === 0 &&
        (await deps.reservations.view(id)) === undefined
      )
        throw noReservation(id);
      return page;
    },
    hasSentences: true,
    show: toTimelineEntry,
  });
}

/** @throws `Problem` FILTER_OF_OPEN: each filter fits by itself, so the API document cannot forbid it */
function ofClosed({ productId, carNumber, since, next, owner, q, ...filter }: OpenFilter): ListFilter {
  const given = Object.entries({ productId, carNumber, since, next, owner, q }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return filter;
  const names = given.map(([field]) => field);
  const fields = names.map((field) => ({ field, message: message('field.of-open', {}) }));
  throw new Problem('FILTER_OF_OPEN', message('api.filter-of-open', { fields: names }), {
    members: { fields },
  });
}

export function toItem({ status, period, next, ...item }: ListItem, write: WriteMoment) {
  const [gravest] = item.attention;
  return {
    ...item,
    next: next === null ? null : { action: next, target: targetOf(next) },
    owner: (gravest && item.owners[gravest]) ?? null,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
    period: period === null ? null : { start: write(period.start), end: write(period.end) },
  };
}
