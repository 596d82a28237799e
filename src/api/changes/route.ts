import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Authenticator } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { httpLimits } from '../http/limits.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import { EventStream } from './stream.js';

const headers = z.looseObject({
  'last-event-id': z
    .string()
    .exactOptional()
    .describe('`id` of the last event that was received: what came since is sent first, or `reset`'),
});

const description = `Server-sent events with \`data: {"id": …, "codes": […]}\`, never personal data. \`reservation\`, \`alert\`,
\`finding\`, \`callback\`, \`claim\`, \`booking\`, \`hold\`: this one changed; \`id\` null: any. \`reset\`: changes may have been missed, so read
everything again. \`degraded\`: changes are not received at present, and \`codes\` states why (DATABASE_UNAVAILABLE, NOTIFICATIONS_MISSING); a
\`reset\` without codes ends it. \`ended\`: the login is over. \`beat\` follows each 15 s: who gets nothing for
40 s connects again.`;

/** GET /api/changes: what changes, for as long as the reader stays and its login holds. */
export function changesRoute(
  api: Api,
  { deps, requires }: RouteContext,
  authenticator: Pick<Authenticator, 'authenticate'>,
): void {
  const { heartbeatMs } = { ...httpLimits, ...deps.limits };
  const open = new Set<EventStream>();
  api.addHook('preClose', async () => {
    for (const stream of open) stream.finish();
  });
  api.get(
    '/api/changes',
    {
      onRequest: requires('viewer'),
      exposeHeadRoute: false,
      schema: {
        summary: 'What changes, as it changes',
        description,
        tags: ['operations'],
        headers,
        response: { 200: { content: { 'text/event-stream': { schema: z.string() } } }, ...problems },
      },
    },
    async (request, reply) => {
      if (request.server.connections?.streamBegan(request.raw.socket) === false) throw tooManyStreams();
      const stream = new EventStream();
      open.add(stream);
      const stopReading = deps.changes.read(
        (message) => stream.pass(message),
        request.headers['last-event-id'],
      );
      const beats = setInterval(() => {
        if (isAllowed(request, authenticator)) stream.beat();
        else stream.finish('SESSION_ENDED');
      }, heartbeatMs);
      // the server lets a client close its half only, and would notice it by a failed write
      request.raw.socket.once('end', () => stream.finish());
      stream.once('close', () => {
        clearInterval(beats);
        stopReading();
        open.delete(stream);
      });
      return reply
        .headers({
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          // what follows on the connection would not be counted
          connection: 'close',
        })
        .type('text/event-stream')
        .send(stream as never);
    },
  );
}

function isAllowed(request: FastifyRequest, authenticator: Pick<Authenticator, 'authenticate'>): boolean {
  try {
    authenticator.authenticate(request);
    return true;
  } catch {
    return false;
  }
}

function tooManyStreams(): Problem {
  return new Problem('TOO_MANY_STREAMS', message('api.too-many-streams', {}), {
    headers: { 'retry-after': '10' },
  });
}
