import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { message } from '../messages/message.js';
import { type AccessRole, type AccessToken, accessRoles, highestRole, type OidcSettings } from './access.js';
import { isFromOwnPage } from './own-page.js';
import { Problem } from './problem.js';
import { digestOf, type Login, type SessionCookies, sessionCookie } from './session-cookie.js';
import type { TokenRefusals } from './token-refusals.js';

/** The sender of a request: its role, and its name for the audit. */
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

export interface KnownToken {
  digest: Buffer;
  caller: Caller;
}

/** Knows callers by `Authorization: Bearer <token>`, else by the cookie of a login. */
export class Authenticator {
  private readonly known: readonly KnownToken[];

  constructor(
    tokens: readonly AccessToken[],
    private readonly options: {
      refusals: Pick<TokenRefusals, 'record'>;
      cookies: Pick<SessionCookies, 'open'>;
      oidc?: Pick<OidcSettings, 'issuer' | 'roles'> | undefined;
    },
  ) {
    this.known = tokens.map(({ role, token, name }) => ({ digest: digestOf(token), caller: { role, name } }));
  }

  /**
   * Every token is compared, each in constant time.
   * @throws `Problem` TOKEN_INVALID or TOO_MANY_REFUSED_TOKENS
   */
  tokenOf(request: FastifyRequest, token: string): KnownToken {
    const found = this.find(digestOf(token));
    if (found !== undefined) return found;
    this.options.refusals.record(request);
    throw new Problem('TOKEN_INVALID', message('api.token-unknown', {}), challenge);
  }

  /**
   * @throws `Problem` TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REFUSED_TOKENS, SESSION_ENDED or, for a write by a cookie that
   * a page of another site sent, ORIGIN_NOT_ALLOWED
   */
  authenticate(request: FastifyRequest): Caller {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined) return this.tokenOf(request, token).caller;
    const cookie = request.cookies[sessionCookie];
    if (cookie !== undefined) return this.callerOfCookie(request, cookie);
    throw new Problem('TOKEN_MISSING', message('api.token-missing', {}), challenge);
  }

  private callerOfCookie(request: FastifyRequest, cookie: string): Caller {
    const login = this.options.cookies.open(cookie);
    const caller = login && this.callerOfLogin(login);
    if (caller === undefined) throw new Problem('SESSION_ENDED', message('api.session-ended', {}), challenge);
    if (!['GET', 'HEAD'].includes(request.method) && isFromOwnPage(request) !== true)
      throw new Problem('ORIGIN_NOT_ALLOWED', message('api.write-from-elsewhere', {}));
    return caller;
  }

  /** By what is configured now: the token, or the roles of the person's groups. */
  callerOfLogin(login: Login): Caller | undefined {
    if ('token' in login) return this.find(Buffer.from(login.token, 'base64'))?.caller;
    const { oidc } = this.options;
    if (login.issuer !== oidc?.issuer) return undefined;
    const roles = oidc.roles.filter(({ group }) => login.groups.includes(group));
    const role = highestRole(roles.map((one) => one.role));
    return role && { role, name: login.name };
  }

  private find(digest: Buffer): KnownToken | undefined {
    return this.known.filter((one) => timingSafeEqual(one.digest, digest))[0];
  }
}

/**
 * Lets a request through whose role is `role` or a higher one; before its body is read.
 * @throws `Problem` as `authenticate`, or ROLE_NOT_ALLOWED
 */
export function requires(role: AccessRole, authenticator: Authenticator): onRequestHookHandler {
  return async (request, reply) => {
    const caller = authenticator.authenticate(request);
    if (accessRoles.indexOf(caller.role) < accessRoles.indexOf(role)) {
      throw new Problem('ROLE_NOT_ALLOWED', message('api.role-too-low', { needed: role, role: caller.role }));
    }
    request.caller = caller;
    // no cache stores an answer to a cookie (L60)
    if (request.cookies[sessionCookie] !== undefined) reply.header('cache-control', 'no-store');
  };
}

/** The caller that `requires` found. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route does not authenticate');
  return request.caller;
}

const challenge = { headers: { 'www-authenticate': 'Bearer' } };
