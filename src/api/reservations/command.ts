import type { FastifyRequest } from 'fastify';
import type { Action, Command, PhotoRef } from '../../domain/reservation/index.js';
import { callerOf } from '../http/auth.js';
import type { ActionFields } from './command-schemas.js';

/** The command that a checked request stands for: its id is the Idempotency-Key, its author the token's name. */
export function commandOf(
  request: FastifyRequest,
  action: Action,
  { override, reason, ...body }: ActionFields,
  photo?: PhotoRef,
): Command {
  return {
    commandId: request.headers['idempotency-key'] as string,
    action,
    body: photo === undefined ? body : { ...body, photo },
    by: callerOf(request).name,
    ...(override === true && reason !== undefined && { override: { reason } }),
  };
}
