import { DrizzleQueryError } from 'drizzle-orm/errors';
import { statusName } from '../../domain/reservation/statuses.js';
import { CatalogueError } from '../../platform/catalogue/error.js';
import type { ListPage } from '../../store/page.js';
import type { ListItem } from '../../store/reservations/list.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';
import { holdItem } from '../holds/view.js';
import { setAge } from '../http/aged.js';
import { oneQuery } from '../http/catalogue-fields.js';
import type { Api, RouteContext } from '../http/context.js';
import type { WriteMoment } from '../http/moments.js';
import { pageAfter } from '../http/page.js';
import { chooseRole } from '../http/platform-roles.js';
import { problems } from '../http/problem-schema.js';
import { toReadProblem } from '../http/read-problem.js';
import { viewsFor } from '../http/views.js';
import { carDetail, carList, carParams, carsQuery } from './schemas.js';

const memosShown = 100;
/** Open ones of one car, at most. */
const mostHolds = 100;
/** Open reservations of one car, at most. */
const mostReservations = 100;

/**
 * GET /api/cars: the fleet, and one car with what concerns it today (F26).
 * Not by `listRoute`, which pages rows of the store: a list of the platform is read whole, and has an age.
 */
export function carRoutes(api: Api, { deps, write, requires }: RouteContext): void {
  const { roles, catalogue } = deps.fleet;
  const tags = ['fleet'];

  api.get(
    '/api/cars',
    {
      onRequest: requires('viewer'),
      schema: { summary: 'Cars', tags, querystring: carsQuery, response: { 200: carList, ...problems } },
    },
    async (request, reply) => {
      const { as: wantedRole, cursor, limit, ...filter } = request.query;
      const read = await catalogue.cars(chooseRole(roles, wantedRole), filter).catch((error: unknown) => {
        throw toReadProblem(error, 'CAR_NOT_FOUND', { what: 'cars', id: null });
      });
      const page = { limit, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = pageAfter(read.value.items, ({ carId }) => carId, page);
      const { unreadable } = read.value;
      const show = viewsFor(request, write);
      return { items: items.map(show.car), nextCursor, unreadable, ...setAge(reply, write, read) };
    },
  );

  api.get(
    '/api/cars/:id',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'One car with its schedule of today, current reservation, holds and memos',
        tags,
        params: carParams,
        querystring: oneQuery,
        response: { 200: carDetail, ...problems },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const as = chooseRole(roles, request.query.as);
      const car = await catalogue.car(as, id).catch((error: unknown) => {
        throw toReadProblem(error, 'CAR_NOT_FOUND', { what: 'car', id });
      });
      const isSupplier = as === 'supplier';
      const [schedule, memos, holds, reservation] = await Promise.all([
        isSupplier ? readPart(catalogue.scheduleOfToday(car.value)) : hidden,
        isSupplier ? readPart(catalogue.memos(id)) : hidden,
        isSupplier ? readPart(deps.holds.list({ carId: id, open: true, limit: mostHolds })) : hidden,
        readPart(deps.lists.open({ carId: id, limit: mostReservations })),
      ]);
      const show = viewsFor(request, write);
      const parts = [
        ['schedule', schedule],
        ['currentReservation', reservation],
        ['holds', holds],
        ['memos', memos],
      ] as const;
      return {
        ...show.car(car.value),
        schedule: schedule.got?.value.map(show.entry) ?? null,
        currentReservation: reservation.got && toCurrent(currentReservationOf(reservation.got), write),
        holds: holds.got?.items.map((item) => holdItem(item, write)) ?? null,
        memos: memos.got?.value.slice(-memosShown).reverse().map(show.memo) ?? null,
        missing: parts.flatMap(([name, { code }]) => (code === null ? [] : [{ part: name, code }])),
        ...setAge(reply, write, car, ...[schedule.got, memos.got].filter((read) => read !== null)),
      };
    },
  );
}

/** A part of an answer that may be missing; `code`: why it is. */
type Part<T> = { got: T; code: null } | { got: null; code: string | null };
const hidden = { got: null, code: null };

async function readPart<T>(reading: Promise<T>): Promise<Part<T>> {
  try {
    return { got: await reading, code: null };
  } catch (error) {
    if (error instanceof CatalogueError) return { got: null, code: error.code };
    if (error instanceof DrizzleQueryError) return { got: null, code: 'STORE_UNAVAILABLE' };
    if (error instanceof EngineUnavailableError) return { got: null, code: 'ENGINE_UNAVAILABLE' };
    throw error;
  }
}

/** The reservation that has the car, or is about to have it; else the one whose period has begun. */
function currentReservationOf({ items, asOf }: ListPage<ListItem>): ListItem | null {
  const isOut = ({ status }: ListItem) => status !== null && status >= 10 && status <= 30;
  const isDue = ({ status, period }: ListItem) =>
    (status === null || status === 5) && period !== null && period.start <= asOf && asOf < period.end;
  return items.find(isOut) ?? items.find(isDue) ?? null;
}

function toCurrent(item: ListItem | null, write: WriteMoment) {
  if (item === null) return null;
  const { reservationId, status, period } = item;
  return {
    reservationId,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
    period: period && { start: write(period.start), end: write(period.end) },
  };
}
