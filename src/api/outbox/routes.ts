import type { Api, RouteContext } from '../http/context.js';
import { optionalWriteHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import { orderOf } from '../http/order.js';
import { refusedKey } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import { outboxList, outboxParams, outboxQuery, resendBody, resendSelectionBody, resent } from './schemas.js';

const tags = ['operations'];

/** Posts to ALERT_URL and FORWARD_URL: lists those that wait or were given up, and sends them again. */
export function outboxRoutes(api: Api, context: RouteContext): void {
  const { deps, requires } = context;
  listRoute(api, context, {
    path: '/api/outbox',
    role: 'viewer',
    summary: 'Alerts and forwarded callbacks that their receivers have not accepted',
    tag: 'operations',
    query: outboxQuery,
    answer: outboxList,
    read: (query) => deps.outbox.list(query),
    show: ({ createdAt, deadAt, ...post }, write) => ({
      ...post,
      createdAt: write(createdAt),
      deadAt: deadAt === null ? null : write(deadAt),
    }),
  });

  api.post(
    '/api/outbox/:id/resend',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Have one dead letter sent again',
        tags,
        params: outboxParams,
        headers: optionalWriteHeaders,
        body: resendBody,
        response: { 202: resent, ...problems },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const posts = await deps.outbox.resend({ id }, orderOf(request));
      if (posts === 'reused') throw refusedKey();
      if (posts === undefined) throw new Problem('OUTBOX_POST_NOT_FOUND', message('api.post-gone', { id }));
      if (posts.length === 0) throw new Problem('OUTBOX_POST_WAITING', message('api.post-waits', { id }));
      return reply.code(202).send({ posts });
    },
  );

  api.post(
    '/api/outbox/resend',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Have all dead letters sent again, the oldest first',
        tags,
        headers: optionalWriteHeaders,
        body: resendSelectionBody,
        response: { 202: resent, ...problems },
      },
    },
    async (request, reply) => {
      const { reason: _, ...selection } = request.body;
      const posts = await deps.outbox.resend(selection, orderOf(request));
      if (posts === 'reused') throw refusedKey();
      return reply.code(202).send({ posts: posts ?? [] });
    },
  );
}
