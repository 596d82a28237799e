import type { FastifyRequest } from 'fastify';
import { callerOf } from './auth.js';

/** Who orders a write, why, and under which key. */
export function orderOf(request: { body: { reason: string }; headers: FastifyRequest['headers'] }): {
  by: string;
  reason: string;
  commandId: string | undefined;
} {
  const commandId = request.headers['idempotency-key'] as string | undefined;
  return { by: callerOf(request as FastifyRequest).name, reason: request.body.reason, commandId };
}
