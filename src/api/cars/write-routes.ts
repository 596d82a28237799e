import type { FastifyRequest } from 'fastify';
import type { CarWrite } from '../../contract/car-write.js';
import { commandRole } from '../../contract/role.js';
import type { KnownCarWrite } from '../../temporal/client/cars/types.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { links } from '../http/openapi.js';
import { platformRefusal, refusedKey } from '../http/outcome.js';
import { requireKey } from '../http/platform-roles.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import {
  carParams,
  carWrite,
  memoBody,
  memoWritten,
  saleStatus,
  saleStatusBody,
  saleStatusParams,
  writeParams,
} from './schemas.js';

/** Sale status and memos: each a workflow of its own, whose id is the command's (F20-F23). */
export function carWriteRoutes(api: Api, { deps, requires }: RouteContext): void {
  const { roles, carWrites, catalogue } = deps.fleet;
  const tags = ['fleet'];

  async function sendWrite(request: FastifyRequest, write: CarWrite) {
    requireKey(roles, commandRole);
    const commandId = request.headers['idempotency-key'] as string;
    const result = await carWrites.write({ commandId, by: callerOf(request).name, write });
    // also where the outcome is unknown: the next read shows the platform's state
    catalogue.forgetWritten();
    if (result.outcome === 'reused') {
      throw refusedKey();
    }
    if (result.outcome === 'rejected') {
      const { code, message, platformMessage } = result;
      const status = code === 'NOT_FOUND' ? 404 : 409;
      throw platformRefusal(code, message, status, { commandId, platformMessage });
    }
    return { commandId, result };
  }

  api.put(
    '/api/products/:id/cars/:carId/sale-status',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Stop or resume the sale of one car in one product',
        tags,
        params: saleStatusParams,
        headers: writeHeaders,
        body: saleStatusBody,
        response: { 200: saleStatus, 202: carWrite, ...problems },
      },
      links: { 200: links.product, 202: links.carWrite },
    },
    async (request, reply) => {
      const { id: productId, carId } = request.params;
      const { commandId, result } = await sendWrite(request, {
        kind: 'sale-status',
        productId,
        carId,
        ...request.body,
      });
      if ('before' in result) {
        const { saleYn, before } = result;
        return reply.code(200).send({ productId, carId, saleYn, before, commandId });
      }
      return reply.code(202).header('location', placeOf(commandId)).send(resultView(commandId, result));
    },
  );

  api.post(
    '/api/cars/:id/memos',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Write a memo on a car',
        tags,
        params: carParams,
        headers: writeHeaders,
        body: memoBody,
        response: { 201: memoWritten, 202: carWrite, ...problems },
      },
      links: { 201: { ...links.car, ...links.carWrite }, 202: links.carWrite },
    },
    async (request, reply) => {
      const { id: carId } = request.params;
      const { content } = request.body;
      const { commandId, result } = await sendWrite(request, { kind: 'memo', carId, content });
      if ('memoId' in result) return reply.code(201).send({ carId, memoId: result.memoId, commandId });
      return reply.code(202).header('location', placeOf(commandId)).send(resultView(commandId, result));
    },
  );

  api.get(
    '/api/car-writes/:commandId',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'What became of a write on a car',
        tags,
        params: writeParams,
        response: { 200: carWrite, ...problems },
      },
    },
    async (request) => {
      const { commandId } = request.params;
      const known = await carWrites.find(commandId);
      if (known === undefined) {
        throw new Problem('CAR_WRITE_NOT_FOUND', message('api.no-car-write', {}));
      }
      return resultView(commandId, known);
    },
  );
}

const placeOf = (commandId: string) => `/api/car-writes/${encodeURIComponent(commandId)}`;

function resultView(commandId: string, known: KnownCarWrite) {
  const { outcome } = known;
  const shown = outcome === 'pending' ? ('out' as const) : outcome;
  return { commandId, outcome: shown, ...reasonOf(known) };
}

function reasonOf(known: KnownCarWrite): { code: string | null; message: string | null } {
  if (known.outcome === 'pending' || known.outcome === 'applied') return { code: null, message: null };
  return { code: known.code, message: 'message' in known ? known.message : null };
}
