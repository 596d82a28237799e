import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type AccessRole, type AccessToken, accessRoles } from './access.js';
import { Problem } from './problem.js';
import type { TokenRefusals } from './token-refusals.js';

/** The sender of a request: its token's role, and the token's name for the audit. */
export interface Caller {
  role: AccessRole;
  name: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requires`, before the handler runs. */
    caller: Caller | null;
  }
}

export type Authenticate = (request: FastifyRequest) => Caller;

/**
 * Authenticates by `Authorization: Bearer <token>`. Compares with every token, each in constant time.
 * @throws (the returned function) `Problem` TOKEN_MISSING, TOKEN_INVALID or TOO_MANY_REFUSED_TOKENS
 */
export function createAuthenticator(
  tokens: readonly AccessToken[],
  refusals: Pick<TokenRefusals, 'record'>,
): Authenticate {
  const known = tokens.map(({ role, token, name }) => ({ digest: sha256(token), caller: { role, name } }));
  return (request) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new Problem('TOKEN_MISSING', 'Send the header `Authorization: Bearer <token>`.', challenge);
    }
    const digest = sha256(token);
    const found = known.filter((one) => timingSafeEqual(one.digest, digest))[0];
    if (found === undefined) {
      refusals.record(request);
      throw new Problem('TOKEN_INVALID', 'The token is unknown. Use one of HANDOVER_TOKENS.', challenge);
    }
    return found.caller;
  };
}

/**
 * Lets a request through whose role is `role` or a higher one; before its body is read.
 * @throws `Problem` TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REFUSED_TOKENS or ROLE_NOT_ALLOWED
 */
export function requires(role: AccessRole, authenticate: Authenticate): onRequestHookHandler {
  return async (request) => {
    const caller = authenticate(request);
    if (accessRoles.indexOf(caller.role) < accessRoles.indexOf(role)) {
      throw new Problem('ROLE_NOT_ALLOWED', `This needs a ${role} token; yours is a ${caller.role} token.`);
    }
    request.caller = caller;
  };
}

/** The caller that `requires` found. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route does not authenticate');
  return request.caller;
}

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
