import type {
  InboxEvent,
  InboxItem,
  ReadableEvent,
  Replayed,
  Unreadable,
} from '../../store/callbacks/types.js';
import type { AccessRole } from '../http/access.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { fieldLines } from '../http/field-lines.js';
import { optionalWriteHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { links } from '../http/openapi.js';
import { orderOf } from '../http/order.js';
import { refusedKey } from '../http/outcome.js';
import { refuseReversed } from '../http/period.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { recordRead } from '../http/record-read.js';
import { type Render, rendered } from '../http/sentences.js';
import { message } from '../messages/message.js';
import { toTimelineEntry } from '../reservations/timeline-view.js';
import {
  inboxEvent,
  inboxList,
  inboxParams,
  inboxQuery,
  replayBody,
  replayed,
  replayPreviews,
  replayQuery,
  replaySelectionBody,
  type VisibleEvent,
} from './schemas.js';
import { eventWithoutPersonalData } from './view.js';

const tags = ['inbox'];
const replayAnswers = { 200: replayPreviews, 202: replayed, ...problems };

/** The callbacks as received, with their verdicts; only staff see their personal data (L60). */
export function inboxRoutes(api: Api, context: RouteContext): void {
  const { deps, write, sentences, requires } = context;
  listRoute(api, context, {
    path: '/api/inbox',
    role: 'viewer',
    summary: 'Callbacks and their verdicts',
    tag: 'inbox',
    query: inboxQuery,
    answer: inboxList,
    read: (query) => deps.inbox.list(query),
    show: toItem,
  });

  api.get(
    '/api/inbox/:id',
    {
      onRequest: requires('viewer'),
      schema: {
        summary:
          'One callback: body (for managers), reading, verdict and what it changed; personal data is null for viewers',
        tags,
        params: inboxParams,
        response: { 200: inboxEvent, ...problems },
      },
    },
    async (request, reply) => {
      const found = await deps.inbox.read(request.params.id);
      if (found === undefined) throw noEvent(request.params.id);
      const { name, role } = callerOf(request);
      const { id, reservationId } = found;
      if (role !== 'viewer' && reservationId !== null && (await deps.isClosed(reservationId))) {
        await recordRead(deps, name, {
          action: 'inbox.read',
          subject: `inbox/${id}`,
          data: { reservationId },
        });
      }
      return toEventView(found, write, sentences(reply), role);
    },
  );

  api.post(
    '/api/inbox/:id/replay',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Have one callback read again and sent to its reservation',
        tags,
        params: inboxParams,
        querystring: replayQuery,
        headers: optionalWriteHeaders,
        body: replayBody,
        response: replayAnswers,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (request.query.dryRun) {
        const preview = requireOne(id, await deps.inbox.preview({ id }));
        return reply.code(200).send(rendered(preview, sentences(reply)));
      }
      const replayed = await deps.inbox.replay({ id }, orderOf(request));
      if (replayed === 'reused') throw refusedKey();
      return reply.code(202).send(requireOne(id, replayed));
    },
  );

  api.post(
    '/api/inbox/replay',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Have the callbacks of a selection read again, in order of arrival',
        tags,
        querystring: replayQuery,
        headers: optionalWriteHeaders,
        body: replaySelectionBody,
        response: replayAnswers,
      },
      links: { 200: links.event, 202: links.event },
    },
    async (request, reply) => {
      const { reason: _, ...selection } = request.body;
      refuseReversed(selection, 'from', 'to');
      if (request.query.dryRun) {
        return reply.code(200).send(rendered(await deps.inbox.preview(selection), sentences(reply)));
      }
      const replayed = await deps.inbox.replay(selection, orderOf(request));
      if (replayed === 'reused') throw refusedKey();
      return reply.code(202).send(replayed);
    },
  );
}

function noEvent(id: number): Problem {
  return new Problem('INBOX_EVENT_NOT_FOUND', message('api.no-callback', { id }));
}

/** Returns the answer for one event. @throws `Problem` where the event is unknown or cannot be read again */
function requireOne<T extends Pick<Replayed, 'skipped'> & { events: unknown[] }>(id: number, answer: T): T {
  const [hindered] = answer.skipped;
  if (hindered !== undefined) {
    throw new Problem(hindered.code, message('api.not-replayed', { id, why: hindered.code }));
  }
  if (answer.events.length === 0) throw noEvent(id);
  return answer;
}

type Moments = 'receivedAt' | 'sentAt' | 'verdictAt' | 'replayedAt';

function toItem<T extends InboxItem>(
  { receivedAt, sentAt, verdictAt, replayedAt, ...item }: T,
  write: WriteMoment,
): Omit<T, Moments> &
  Pick<Record<Moments, string>, 'receivedAt'> &
  Record<Exclude<Moments, 'receivedAt'>, string | null> {
  const given = (at: number | null) => (at === null ? null : write(at));
  return {
    ...item,
    receivedAt: write(receivedAt),
    sentAt: given(sentAt),
    verdictAt: given(verdictAt),
    replayedAt: given(replayedAt),
  };
}

function toEventView(found: InboxEvent, write: WriteMoment, render: Render, role: AccessRole) {
  const { raw, event, unreadable, timeline, earlier, ...rest } = found;
  const reading = event === null ? null : toReading(event, write);
  return {
    ...toItem(rest, write),
    raw: role === 'manager' ? raw : null,
    event: reading !== null && role === 'viewer' ? eventWithoutPersonalData(reading) : reading,
    unreadable: unreadable && withSentences(unreadable, render),
    timeline: timeline.map((entry) => toTimelineEntry(entry, write, render)),
    earlier: earlier.map(({ at, verdictAt, ...one }) => ({
      ...one,
      at: write(at),
      verdictAt: verdictAt === null ? null : write(verdictAt),
    })),
  };
}

function withSentences({ problems: issues, ...why }: Unreadable, render: Render) {
  if (issues === undefined) return why;
  const lines = fieldLines(issues).map((line) => render(message('field.each', { lines: [line] })));
  return { ...why, problems: [...new Set(lines)] };
}

/** The content of an event; the fields that identify it are next to it in the answer. */
function toReading(
  { eventId: _, inboxId: __, channel: ___, receivedAt: ____, replay: _____, ...content }: ReadableEvent,
  write: WriteMoment,
): VisibleEvent {
  const { changedAt, createdAt, period, driving, ...rest } = content;
  return {
    ...rest,
    ...(changedAt !== undefined && { changedAt: write(changedAt) }),
    ...(createdAt !== undefined && { createdAt: write(createdAt) }),
    ...(period !== undefined && { period: { start: write(period.start), end: write(period.end) } }),
    ...(driving !== undefined && {
      driving: {
        ...(driving.start !== undefined && { start: write(driving.start) }),
        ...(driving.end !== undefined && { end: write(driving.end) }),
      },
    }),
  };
}
