import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseErrorCode } from '../db/errors.js';
import { Problem, sendProblem } from '../http/problem.js';
import type { CallbackKind } from '../platform/model.js';
import { toArrival } from './arrival.js';
import { type AuthenticityFailure, authenticate, type CallbackAuthentication } from './authenticity.js';
import { largestBody } from './content-coding.js';
import type { ContentHashes } from './content-hash.js';
import type { CallbackWire } from './decode.js';
import { OverloadedError } from './group-commit.js';
import type { InboxStore } from './store.js';

export interface ReceiverOptions {
  wire: CallbackWire;
  contentHashes: ContentHashes;
  authentication: CallbackAuthentication;
  inbox: Pick<InboxStore, 'store'>;
  /** Told after each stored event: the relay of this process wakes. */
  onStored?: () => void;
  /** What an event's receipt is told by; a signature is judged by real time. Both are the same but for a rehearsal. */
  clock?: () => number;
}

const refusals: Record<AuthenticityFailure, string> = {
  SIGNATURE_MISSING:
    'send the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks)',
  SIGNATURE_MISMATCH: 'sign the body as it is sent with the secret agreed on (CALLBACK_SECRETS)',
  TIMESTAMP_STALE: 'webhook-timestamp must be the time of sending in seconds, within 5 minutes of now',
  CALLBACK_UNAUTHORIZED: 'the callback carries no secret that is agreed on (CALLBACK_SECRETS)',
};

/**
 * Fastify plugin: the four callback paths of the profile (specification, Events; G28-G30). In this order and with
 * nothing else on the way: size limit, authenticity over the raw bytes, durable insert, 204. No body can make it
 * fail: what cannot be read is stored and acknowledged all the same (L63).
 */
export async function receiver(app: FastifyInstance, options: ReceiverOptions): Promise<void> {
  app.decorateRequest('sentAs', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBody }, (_request, body, done) =>
    done(null, body),
  );
  // a content type that is none would be refused before its body is read: what it is does not matter here
  app.addHook('onRequest', async (request) => {
    request.sentAs = request.headers['content-type'];
    request.headers['content-type'] = 'application/octet-stream';
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(reply, toProblem(error, request)));
  const prefix = options.authentication.auth === 'secret-path' ? '/:secret' : '';
  for (const [channel, path] of Object.entries(options.wire.paths) as [CallbackKind, string][]) {
    app.post(`${prefix}${path}`, { schema: documented(channel) }, (request, reply) =>
      receive(channel, path, request, reply, options),
    );
  }
}

/** For the OpenAPI page; the body belongs to the wire profile. */
function documented(channel: CallbackKind): object {
  return { tags: ['callbacks'], summary: `The platform reports: ${channel}` };
}

async function receive(
  channel: CallbackKind,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { wire, contentHashes, authentication, inbox, onStored, clock = Date.now }: ReceiverOptions,
): Promise<FastifyReply> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const receivedAt = clock();
  const { secret } = request.params as { secret?: string };
  const signed = { raw, headers: request.headers, ...(secret !== undefined && { pathSecret: secret }) };
  const failure = authenticate(signed, authentication, Date.now());
  if (failure !== null) throw new Problem(failure, refusals[failure]);
  const headers = { ...request.headers, 'content-type': request.sentAs };
  await inbox.store(toArrival({ channel, path, headers, raw, receivedAt }, { wire, contentHashes }));
  onStored?.();
  return reply.code(204).send();
}

/** The sender comes back (G34) where it is told 503. */
function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  const headers = { 'retry-after': '1' };
  if (error instanceof OverloadedError) {
    return new Problem('INTAKE_OVERLOADED', 'nothing is lost: send it again after a second', { headers });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem('BODY_TOO_LARGE', `a callback has ${largestBody} bytes at most`);
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new Problem('BODY_UNREADABLE', 'the body broke off, or is not as long as Content-Length says');
  }
  request.log.error({ code: databaseErrorCode(error) }, 'a callback could not be stored');
  return new Problem('STORE_UNAVAILABLE', 'the event is not stored: send it again', { headers });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type that came with a callback. */
    sentAs: string | undefined;
  }
}
