import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, OperationName } from '../../platform/profile.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { unstorableText } from '../core/text.js';
import { readReservation } from '../store/reservations.js';
import type { Call } from './call.js';
import { reservationOf } from './call-record.js';
import { type Authenticate, assertRole } from './caller.js';
import { photoDocument } from './docs.js';
import { isApplied, showFault } from './fault.js';
import { createHandlers } from './handlers.js';
import { readPhoto } from './photo.js';

// biome-ignore lint/suspicious/noExplicitAny: the table of operations is walked without knowing each one's types
type AnyOperation = Operation<any, any, any, any>;
type AnyHandler = (call: Call<unknown, unknown, unknown>) => Promise<unknown>;

/** Registers every operation of the profile: decode, handle, encode; nothing here knows a field or a path. */
export function registerOperations(app: FastifyInstance, sandbox: Sandbox, authenticate: Authenticate): void {
  const handlers = createHandlers(sandbox);
  for (const [name, operation] of Object.entries(sandbox.profile.operations) as [
    OperationName,
    AnyOperation,
  ][]) {
    registerOperation(app, sandbox, { name, operation, authenticate, handler: handlers[name] as AnyHandler });
  }
}

interface Route {
  name: OperationName;
  operation: AnyOperation;
  authenticate: Authenticate;
  handler: AnyHandler;
}

function registerOperation(app: FastifyInstance, sandbox: Sandbox, route: Route): void {
  const { name, operation, authenticate, handler } = route;
  const { body, success } = operation;
  const documented =
    body.kind === 'json' ? body.schema : body.kind === 'photo' ? photoDocument(body) : undefined;
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: name },
    schema: {
      operationId: name,
      tags: ['platform'],
      security: [{ key: [] }],
      params: operation.params,
      querystring: operation.query,
      ...(documented && { body: documented }),
      ...(success.schema && { response: { [success.status]: success.schema } }),
    },
    onRequest: async (request) => {
      const caller = authenticate(request);
      request.sandboxCall.caller = caller;
      assertRole(caller, operation.roles);
    },
    preValidation: async (request) => {
      if (body.kind === 'json' && request.body === undefined) request.body = {};
    },
    handler: async (request, reply) => {
      if (body.kind === 'photo') await assertKnown(sandbox, reservationOf(request));
      const call = await readCall(request, operation);
      const fault = sandbox.faults.calls.next({ name, reservationId: reservationOf(request) })?.fault.effect;
      if (fault && fault.kind !== 'latency' && !isApplied(fault))
        return showFault(sandbox, request, reply, fault);
      const value = await handler(call);
      if (operation.method !== 'GET') request.sandboxCall.effect = 'applied';
      if (name === 'book') request.sandboxCall.made = (value as { reservationId: number }).reservationId;
      if (fault?.kind === 'latency') await sleep(fault.ms);
      else if (fault) return showFault(sandbox, request, reply, fault);
      return answer(reply, operation, value);
    },
  });
}

/** Refuses an unknown reservation before the photo is read. */
async function assertKnown({ db }: Sandbox, id: number | null): Promise<void> {
  if (id !== null && (await readReservation(db, id)) === undefined)
    throw new Refusal('NOT_FOUND', `there is no reservation ${id}`);
}

async function readCall(
  request: FastifyRequest,
  operation: AnyOperation,
): Promise<Call<unknown, unknown, unknown>> {
  const { params, query } = request;
  const { caller } = request.sandboxCall;
  if (!caller) throw new Refusal('UNAUTHORIZED', 'the API key is not known');
  const call: Call<unknown, unknown, unknown> = { caller, params, query, body: request.body };
  if (operation.body.kind === 'photo') {
    const { photo, body } = await readPhoto<unknown>(request, operation.body);
    Object.assign(call, { photo, body });
    request.sandboxCall.body = JSON.stringify({
      fields: body,
      photo: { type: photo.type, size: photo.bytes.length },
    });
  }
  assertStorable({ params, query, body: call.body });
  return call;
}

/** @throws `Refusal` INVALID_REQUEST where the database cannot store a text of the request */
export function assertStorable(request: { params: unknown; query: unknown; body: unknown }): void {
  const unstorable = unstorableText(request);
  if (unstorable !== null)
    throw new Refusal('INVALID_REQUEST', `${unstorable}: contains a character that is none`);
}

function answer(reply: FastifyReply, operation: AnyOperation, value: unknown): FastifyReply {
  reply.code(operation.success.status);
  return operation.success.schema ? reply.send(value) : reply.send();
}
