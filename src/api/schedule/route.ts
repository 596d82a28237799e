import type { z } from 'zod';
import { statusName } from '../../domain/reservation/statuses.js';
import type { Bar } from '../../store/schedule.js';
import type { Api, RouteContext } from '../http/context.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { type scheduleBar, scheduleList, scheduleQuery } from './schemas.js';

/** GET /api/schedule: what takes each car. */
export function scheduleRoute(api: Api, context: RouteContext): void {
  const { schedule, clock = Date.now } = context.deps;
  listRoute(api, context, {
    path: '/api/schedule',
    role: 'viewer',
    summary: 'What takes each car within a period: open reservations, holds, schedule entries and findings',
    tag: 'fleet',
    query: scheduleQuery,
    answer: scheduleList,
    read: ({ from, to, carId, ...rest }) =>
      schedule.read(
        { start: from, end: to },
        { now: clock(), ...(carId !== undefined && { carIds: carId }), ...rest },
      ),
    show: ({ bars, ...car }, write) => ({ ...car, bars: bars.map((one) => showBar(one, write)) }),
  });
}

function showBar({ startAt, endAt, ...rest }: Bar, write: WriteMoment): z.output<typeof scheduleBar> {
  const shown = { startAt: write(startAt), endAt: write(endAt) };
  if (rest.type === 'entry') return { ...rest, ...shown, readAt: write(rest.readAt) };
  if (rest.type !== 'reservation') return { ...rest, ...shown };
  const { status } = rest;
  return {
    ...rest,
    ...shown,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
  };
}
