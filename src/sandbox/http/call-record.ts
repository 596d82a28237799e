import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import type { Caller } from './caller.js';

/** The facts of a call while it is served; the journal's row is made from them. */
interface CallRecord {
  receivedAt: Instant;
  /** The profile's operation that the route serves; null for an unknown route. */
  operation: string | null;
  /** Set once the key is known. */
  caller: Caller | null;
  /** The result of the call: `read`, `applied`, `refused:CODE`, `fault:kind`. */
  effect: string;
  /** The body as received; for a photo, its fields, type and size. */
  body?: string;
  /** Id of the reservation that a booking created. */
  made?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    sandboxCall: CallRecord;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

/** Journals the platform's own calls, unknown paths included; not the sandbox's controls, documents and photos. */
export function installCallRecord(app: FastifyInstance, sandbox: Sandbox): void {
  app.decorateRequest('sandboxCall', null as never);
  app.addHook('onRequest', async (request) => {
    const operation = request.routeOptions.config.operation ?? null;
    request.sandboxCall = { receivedAt: sandbox.clock.now(), operation, caller: null, effect: 'read' };
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.sandboxCall) return payload; // the address was not even well-formed
    const known = request.routeOptions.url !== undefined;
    if (request.sandboxCall.operation === null && known) return payload;
    const responseBody = typeof payload === 'string' ? payload : null;
    recordCall(sandbox, request, { status: reply.statusCode, responseBody, durationMs: reply.elapsedTime });
    return payload;
  });
}

/** Puts one call into the journal; `status` null: the caller got no answer. */
export function recordCall(
  sandbox: Sandbox,
  request: FastifyRequest,
  answer: { status: number | null; responseBody: string | null; durationMs: number },
): void {
  const { receivedAt, operation, effect, caller, body } = request.sandboxCall;
  sandbox.metrics.countRequest({ operation, status: answer.status, seconds: answer.durationMs / 1000 });
  sandbox.journal.add({
    kind: 'request',
    at: receivedAt,
    durationMs: Math.round(answer.durationMs),
    method: request.method,
    path: request.url.slice(0, 2000),
    operation,
    role: caller?.role ?? null,
    status: answer.status,
    reservationId: reservationOf(request),
    effect,
    requestBody: body ?? null,
    responseBody: answer.responseBody,
  });
}

/** The reservation that a command is about, once its path is read. */
export function reservationOf(request: FastifyRequest): number | null {
  const { made, operation } = request.sandboxCall;
  if (made !== undefined) return made;
  const id = (request.params as { id?: unknown } | undefined)?.id;
  const about = operation?.startsWith('dispatch') || operation?.startsWith('recall');
  return about && Number.isSafeInteger(id) ? (id as number) : null;
}
