import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Connections } from '../../api/http/connections.js';
import { Problem, sendProblem } from '../../api/http/problem.js';
import { problems } from '../../api/http/problem-schema.js';
import { type Sender, TrustedSenders } from '../../api/http/trusted-senders.js';
import { inSpan, type Tracing } from '../../contract/tracing.js';
import type { CallbackKind } from '../../platform/model.js';
import type { InboxStore } from '../../store/callbacks/insert.js';
import { databaseErrorCode } from '../../store/connection/errors.js';
import { OverloadedError } from '../../store/connection/group-commit.js';
import { within } from '../../store/connection/within.js';
import type { CallbackWire } from '../event/decode.js';
import { SampledLog } from '../sampled-log.js';
import { toArrival } from './arrival.js';
import {
  type AuthenticityFailure,
  authenticate,
  authenticateHead,
  type CallbackAuthentication,
} from './authenticity.js';
import { BodyReader, overloaded, unreadable } from './body.js';
import type { ContentHashes } from './content-hash.js';
import type { ReceiverMetrics } from './receiver-metrics.js';

export interface ReceiverOptions {
  wire: CallbackWire;
  contentHashes: ContentHashes;
  authentication: CallbackAuthentication;
  /** The senders that are allowed and trusted, shared with the server's connections. Absent: any address is allowed. */
  senders?: TrustedSenders;
  inbox: Pick<InboxStore, 'store' | 'isFull'>;
  metrics?: ReceiverMetrics;
  /** Absent: nothing is traced. */
  tracing?: Tracing | undefined;
  limits?: Partial<ReceiverLimits>;
  /** Called after each stored event, to wake the relay of this process. */
  onStored?: () => void;
  /** The clock for an event's receipt; only a rehearsal sets it. Signatures are checked by real time. */
  clock?: () => number;
}

interface ReceiverLimits {
  /** For the body, from the end of the headers. */
  bodyWithinMs: number;
  /** An incomplete body brings at least `leastBytes` in each `paceMs`. */
  paceMs: number;
  leastBytes: number;
  /** Limit of all bodies that are being received. */
  bytesTogether: number;
  /** For the rest of a refused body: with the connection cut at once, many senders would not read the answer. */
  restWithinMs: number;
  /** A sender waits 5 s (G33): a request that cannot be answered in time is answered 503. */
  acknowledgeWithinMs: number;
}
const receiverLimits: ReceiverLimits = {
  bodyWithinMs: 10_000,
  paceMs: 2_000,
  leastBytes: 4 * 1024,
  bytesTogether: 64 * 1024 * 1024,
  restWithinMs: 1_000,
  acknowledgeWithinMs: 4_500,
};

/** Share of `bytesTogether` for untrusted senders; the rest is reserved for trusted ones. */
const shareOfStrangers = 3 / 4;
const shareOfOne = 1 / 8;

const refusals: Record<AuthenticityFailure, string> = {
  SIGNATURE_MISSING:
    'The callback has no signature. Send the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).',
  SIGNATURE_MISMATCH:
    'The signature does not fit the body. Sign the bytes as sent, with a secret of CALLBACK_SECRETS.',
  TIMESTAMP_STALE:
    'The timestamp is too far from now. Send in webhook-timestamp the time of sending in seconds, within 5 minutes of now.',
  CALLBACK_UNAUTHORIZED: 'The secret is missing or wrong. Send one of CALLBACK_SECRETS.',
};

/**
 * Fastify plugin: the four callback paths of the profile (specification, Events; G28-G30). In this order:
 * checks of address and headers, size limit, authenticity over the raw bytes, durable insert, 204. A body that cannot be
 * read is stored and acknowledged too (L63).
 */
export async function receiver(app: FastifyInstance, options: ReceiverOptions): Promise<void> {
  const limits = { ...receiverLimits, ...options.limits };
  const { bytesTogether, bodyWithinMs: withinMs, paceMs, leastBytes } = limits;
  const bodies = new BodyReader({
    withinMs,
    paceMs,
    leastBytes,
    bytesTogether,
    bytesOfStrangers: bytesTogether * shareOfStrangers,
    bytesEach: bytesTogether * shareOfOne,
  });
  const senders = options.senders ?? new TrustedSenders({ allow: [], proxies: [] });
  app.decorateRequest('sender');
  app.decorateRequest('sentAs', undefined);
  app.decorateRequest('refusedAs', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.read(payload, request.headers['content-length'], request.sender),
  );
  app.addHook('onRequest', async (request) => {
    // Fastify refuses an invalid content type before it reads the body; the type does not matter here
    request.sentAs = request.headers['content-type'];
    request.headers['content-type'] = 'application/octet-stream';
    request.sender = senders.of(request);
    if (!request.sender.isAllowed) {
      throw new Problem(
        'ADDRESS_NOT_ALLOWED',
        'This address is not allowed. Add it to CALLBACK_ALLOW, and a proxy in between to CALLBACK_PROXIES.',
      );
    }
    if (options.inbox.isFull()) throw overloaded();
    const verdict = authenticateHead(signedHead(request), options.authentication, Date.now());
    if (verdict !== 'proven' && verdict !== 'body decides') throw new Problem(verdict, refusals[verdict]);
    if (verdict === 'proven') trustSender(request);
  });
  const trustSender = ({ sender, raw }: FastifyRequest) => {
    sender.isTrusted = true;
    senders.authenticated(sender.network);
    app.connections?.senderKnown(raw.socket, 'callback');
  };
  app.addHook('onResponse', async ({ raw }) => closeUnread(raw, limits.restWithinMs));
  countAnswers(app, options);
  const prefix = options.authentication.auth === 'secret-path' ? '/:secret' : '';
  for (const [channel, path] of Object.entries(options.wire.paths) as [CallbackKind, string][]) {
    app.post(
      `${prefix}${path}`,
      { schema: describeRoute(channel), config: { channel } },
      async (request, reply) => {
        proveByBody(request, options.authentication);
        if (options.authentication.auth !== 'none') trustSender(request);
        // the insert may still succeed after the limit: the sender's repeat is then recognised
        await within(limits.acknowledgeWithinMs, receive(channel, path, request, options), notStored);
        options.onStored?.();
        return reply.code(204).send();
      },
    );
  }
}

/** Ends the connection of a refused request unless the rest of it arrives in time. */
function closeUnread(request: IncomingMessage, withinMs: number): void {
  if (request.complete) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, withinMs).unref();
}

/** For the OpenAPI page; the body belongs to the wire profile. */
function describeRoute(channel: CallbackKind): object {
  return {
    tags: ['callbacks'],
    summary: `The platform reports: ${channel}`,
    response: { 204: z.undefined().describe('Stored'), ...problems },
  };
}

function signedHead({ headers, params }: FastifyRequest) {
  const { secret } = params as { secret?: string };
  return { headers, ...(secret !== undefined && { pathSecret: secret }) };
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function proveByBody(request: FastifyRequest, authentication: CallbackAuthentication): void {
  const signed = { ...signedHead(request), raw: bodyOf(request) };
  const failure = authenticate(signed, authentication, Date.now());
  if (failure !== null) throw new Problem(failure, refusals[failure]);
}

async function receive(
  channel: CallbackKind,
  path: string,
  request: FastifyRequest,
  { wire, contentHashes, inbox, tracing, clock = Date.now }: ReceiverOptions,
): Promise<void> {
  const [raw, receivedAt] = [bodyOf(request), clock()];
  const headers = { ...request.headers, 'content-type': request.sentAs };
  await inSpan(tracing, { name: 'inbox', attributes: { 'handover.channel': channel } }, () => {
    const traceparent = tracing?.carrier()?.traceparent;
    const arrived = { channel, path, headers, raw, receivedAt, traceparent };
    return inbox.store(toArrival(arrived, { wire, contentHashes }));
  });
}

function countAnswers(app: FastifyInstance, { metrics }: ReceiverOptions): void {
  const sampled = new SampledLog(app.log);
  app.setErrorHandler((error: FastifyError, request, reply: FastifyReply) => {
    const problem = toProblem(error, sampled);
    request.refusedAs = problem.code;
    sampled.logRefused(problem.code, { channel: channelOf(request), from: request.sender.address });
    return sendProblem(reply, problem);
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics?.countAnswer({
      channel: channelOf(request),
      outcome: request.refusedAs ?? 'stored',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}

function channelOf(request: FastifyRequest): string {
  return (request.routeOptions.config as { channel?: CallbackKind }).channel ?? 'none';
}

/** The sender repeats the callback after 503 (G34). */
function toProblem(error: FastifyError, sampled: SampledLog): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof OverloadedError) return overloaded();
  if (error.statusCode !== undefined && error.statusCode < 500) return unreadable();
  sampled.logNotStored(databaseErrorCode(error));
  return notStored();
}

function notStored(): Problem {
  return new Problem('STORE_UNAVAILABLE', 'The callback was not stored. Send it again.', {
    headers: { 'retry-after': '1' },
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Of the server that the receiver is part of. */
    connections?: Connections;
  }
  interface FastifyRequest {
    /** Of a callback. */
    sender: Sender;
    /** The content type that came with a callback. */
    sentAs: string | undefined;
    /** The code under which a callback was refused. */
    refusedAs: string | undefined;
  }
}
