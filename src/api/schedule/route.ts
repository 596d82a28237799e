import { z } from 'zod';
import { attentionKinds } from '../../domain/reservation/index.js';
import { statusName } from '../../domain/reservation/statuses.js';
import type { Bar } from '../../store/schedule.js';
import type { Api, RouteContext } from '../http/context.js';
import { idText, instant, moment, pageLimit } from '../http/fields.js';
import { listOf, listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';

const query = z.strictObject({
  from: instant,
  to: instant,
  carId: idText.exactOptional(),
  cursor: z.string().max(16, 'expected nextCursor of an earlier answer').exactOptional(),
  limit: pageLimit,
});

const period = { startAt: moment, endAt: moment };
const bar = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reservation'),
    ...period,
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    attention: z.array(z.enum(attentionKinds)),
    atRisk: z.boolean().describe('The next reservation of the car is at risk'),
    overdue: z.boolean().describe('The car is with the customer after `endAt`: it is taken until now'),
  }),
  z.object({ type: z.literal('hold'), ...period, holdId: z.string(), state: z.string() }),
  z
    .object({
      type: z.literal('finding'),
      ...period,
      findingId: z.int(),
      kind: z.string(),
      scheduleId: z.int().nullable(),
    })
    .describe("An entry of the platform's schedule that belongs to no reservation here"),
]);

export const scheduleList = listOf(
  z.object({
    carId: z.int(),
    carNumber: z.string().nullable().describe('Of a reservation of the car'),
    bars: z.array(bar),
  }),
).describe('Cars by their id, each with what takes it within the period, as far as it is known here');

/** GET /api/schedule: what takes each car. */
export function scheduleRoute(api: Api, context: RouteContext): void {
  const { schedule, clock = Date.now } = context.deps;
  listRoute(api, context, {
    path: '/api/schedule',
    role: 'viewer',
    summary: 'What takes each car within a period: open reservations, holds, and findings',
    tag: 'fleet',
    query,
    answer: scheduleList,
    read: ({ from, to, ...rest }) => schedule.read({ start: from, end: to }, { now: clock(), ...rest }),
    show: ({ bars, ...car }, write) => ({ ...car, bars: bars.map((one) => showBar(one, write)) }),
  });
}

function showBar({ startAt, endAt, ...rest }: Bar, write: WriteMoment): z.output<typeof bar> {
  const shown = { startAt: write(startAt), endAt: write(endAt) };
  if (rest.type !== 'reservation') return { ...rest, ...shown };
  const { status } = rest;
  return {
    ...rest,
    ...shown,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
  };
}
