import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../platform/model.js';
import { Refusal } from '../core/refusal.js';

/** An API key as configured (G27): a supplier's is bound to one company. */
export type SandboxKey =
  | { role: 'channel'; key: string }
  | { role: 'supplier'; key: string; companyId: number };

/** Who is calling. `companyId` absent: a channel, which sees every company. */
export interface Caller {
  role: Role;
  companyId?: number;
}

export type Authenticate = (request: FastifyRequest) => Caller;

const digest = (key: string) => createHash('sha256').update(key).digest('base64');

/** Finds keys by digest, so that the time that this takes reveals nothing of a key. */
export function createAuthenticator(keys: readonly SandboxKey[]): Authenticate {
  const callers = new Map<string, Caller>();
  for (const { key, ...caller } of keys) callers.set(digest(key), caller);
  return (request) => {
    const header = request.headers.authorization;
    if (header === undefined)
      throw new Refusal('UNAUTHORIZED', 'send the header Authorization: Bearer <API key>');
    const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    const caller = key === undefined ? undefined : callers.get(digest(key));
    if (!caller) throw new Refusal('UNAUTHORIZED', 'the API key is not known');
    return caller;
  };
}

/** @throws `Refusal` FORBIDDEN unless the caller's role may do this (G26) */
export function assertRole(caller: Caller, roles: readonly Role[]): void {
  if (roles.includes(caller.role)) return;
  throw new Refusal('FORBIDDEN', `this needs a key of role ${roles.join(' or ')}; yours is ${caller.role}`);
}
