import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import type { FaultEffect } from '../faults/calls.js';
import { recordCall } from './call-record.js';

/** Whether the platform acts on the request before the fault shows. */
export function isApplied(fault: FaultEffect): boolean {
  if (fault.kind === 'refuse') return false;
  return 'applied' in fault ? fault.applied : true;
}

/** Carries out the fault's answer, or gives none. Not for latency: such a call is answered as usual. */
export function showFault(
  sandbox: Sandbox,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Exclude<FaultEffect, { kind: 'latency' }>,
): FastifyReply {
  request.sandboxCall.effect = `fault:${fault.kind}${isApplied(fault) ? '+applied' : ''}`;
  switch (fault.kind) {
    case 'refuse':
      throw new Refusal(fault.code, 'refused by a fault that was set', fault.retryAfterSeconds);
    case 'status':
      if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds);
      if (fault.status < 400) reply.header('location', `${sandbox.publicUrl()}/elsewhere`);
      return reply.code(fault.status).send();
    case 'broken-body':
      return reply
        .type('application/json')
        .serializer((text: string) => text)
        .send('{"reservationId": 1, "reser');
    default: {
      const answer = { status: null, responseBody: null, durationMs: reply.elapsedTime };
      recordCall(sandbox, request, answer);
      reply.hijack();
      if (fault.kind === 'reset') request.raw.socket.resetAndDestroy();
      return reply; // a hang: the socket stays open until the caller or the server closes it
    }
  }
}
