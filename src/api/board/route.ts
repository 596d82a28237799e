import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { targetOf } from '../../domain/reservation/actions.js';
import { currentStaff } from '../../domain/reservation/list-row.js';
import { statusName } from '../../domain/reservation/statuses.js';
import type { Instant } from '../../domain/shared/time.js';
import { type Board, type BoardFilter, type BoardItem, lanes } from '../../store/reservations/list.js';
import { showAlert } from '../alerts/route.js';
import { type Caller, callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import type { WriteMoment } from '../http/moments.js';
import { problems } from '../http/problem-schema.js';
import { sentencesIn, setLanguage } from '../http/sentences.js';
import { boardQuery } from '../reservations/list-schemas.js';
import { degradedParts } from './degraded.js';
import { ReadsInTurn } from './reads-in-turn.js';
import { board } from './schemas.js';
import { SharedAnswer } from './shared-answer.js';

const mostAlerts = 100;
/** Of each filter one read runs at a time. */
const mostFilters = 100;

/** GET /api/board: what calls for staff now. */
export function boardRoute(api: Api, { deps, write, requires }: RouteContext): void {
  const now = deps.clock ?? Date.now;
  const { receiver } = deps;
  // without them the API is ready: only photos wait, or callbacks
  const parts = { ...deps.probes, photos: deps.photos.probe, ...(receiver !== undefined && { receiver }) };
  const degraded = degradedParts(parts, now);
  const read = async (filter: BoardFilter) => {
    const at = now();
    const alerts = deps.alerts.list({ state: 'open', limit: mostAlerts });
    const lanesRead = deps.lists.board(at, filter);
    const [found, { items }] = await Promise.all([lanesRead, alerts]);
    return { at, lanes: found, alerts: items, answers: new Map<string, SharedAnswer>() };
  };
  const reads = new LRUCache<string, ReadsInTurn<Awaited<ReturnType<typeof read>>>>({ max: mostFilters });
  const readsOf = (filter: BoardFilter) => {
    const key = JSON.stringify(filter);
    const known = reads.get(key) ?? new ReadsInTurn(() => read(filter));
    reads.set(key, known);
    return known;
  };
  api.get(
    '/api/board',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'What open reservations call for now, in five lanes',
        tags: ['reservations'],
        querystring: boardQuery,
        response: { 200: board, ...problems },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const isViewer = caller.role === 'viewer';
      const language = setLanguage(reply);
      const render = sentencesIn(language, deps.zoneOffsetMinutes);
      const [{ at, answers, ...found }, failing] = await Promise.all([
        readsOf(filterOf(request.query, caller)).next(),
        degraded(),
      ]);
      // every console reads after every change: one answer is written for all viewers of a language, and one for all staff
      const key = JSON.stringify([isViewer, language, [...failing]]);
      const answer =
        answers.get(key) ??
        new SharedAnswer(
          reply.serializeInput(
            {
              asOf: write(at),
              lanes: lanesOf(found.lanes, (item) => toRow(item, { isViewer, write })),
              alerts: found.alerts.map((alert) => showAlert(alert, write, render)),
              degraded: [...failing.keys()],
              degradedSince: Object.fromEntries([...failing].map(([part, since]) => [part, write(since)])),
            } satisfies z.input<typeof board>,
            '200',
          ) as string,
        );
      answers.set(key, answer);
      return answer.send(request, reply) as never;
    },
  );
}

/** What a caller reads is shared by all with this filter: what is of the caller alone is part of it. */
function filterOf({ mine = false, ...filter }: z.output<typeof boardQuery>, caller: Caller): BoardFilter {
  if (!mine) return filter;
  const { name, role } = caller;
  // viewers do not learn to whom a reservation is assigned
  return { ...filter, involved: { owner: name, ...(role !== 'viewer' && { staff: name }) } };
}

function lanesOf<Row>(read: Board, toRow: (item: BoardItem) => Row) {
  const shown = lanes.map((lane) => [lane, { ...read[lane], items: read[lane].items.map(toRow) }]);
  return Object.fromEntries(shown) as Record<keyof Board, { count: number; items: Row[] }>;
}

interface Showing {
  isViewer: boolean;
  write: WriteMoment;
}

/** Names each member, as `itemOf` of the store does: it costs much less than to copy the rest of an object. */
function toRow(item: BoardItem, { isViewer, write }: Showing) {
  const { status, period, next } = item;
  const moment = (instant: Instant | null) => (instant === null ? null : write(instant));
  const attention = item.attention.map(({ kind, since }) => {
    return { kind, since: write(since), owner: item.owners[kind] ?? null };
  });
  return {
    reservationId: item.reservationId,
    sequence: item.sequence,
    status: { code: status, name: status === null ? 'unknown' : statusName(status) },
    grade: item.grade,
    since: moment(item.since),
    carId: item.carId,
    carNumber: item.private.carNumber,
    companyId: item.companyId,
    productId: item.productId,
    period: period === null ? null : { start: write(period.start), end: write(period.end) },
    attention,
    next: next === null ? null : { action: next, target: targetOf(next) },
    relevantAt: moment(item.relevantAt),
    owner: attention[0]?.owner ?? null,
    staff: isViewer ? null : currentStaff(item),
    atRisk: item.atRisk,
    unknownCommands: item.unknownCommands,
    waitingCommands: item.waitingCommands,
  };
}
