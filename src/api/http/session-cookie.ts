import { createHash } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CodecKey } from '../../store/sealing/codec-key.js';
import { createSealer, type Sealer } from '../../store/sealing/sealer.js';

export const sessionCookie = 'handover_session';
const validMs = 12 * 60 * 60_000;
/** The sealed content belongs to this place: nothing else that is under the same keys is a login. */
const place = 'session/cookie';

/**
 * Seals logins, in the bound form alone (also with CODEC_BINDING=off): in the other form a text that was sealed for any column would be
 * a login.
 */
export function createLoginSealer(keys: readonly CodecKey[]): Sealer {
  return createSealer(keys, { opensUnbound: false });
}

/** A login with a token, by its SHA-256 digest (base64). */
const byToken = z.object({ token: z.base64() });
/** A person whom the identity provider `issuer` knows, with those of their groups that have a role. */
const byPerson = z.object({ issuer: z.string(), name: z.string(), groups: z.array(z.string()) });

export type PersonLogin = z.output<typeof byPerson>;
export type Login = z.output<typeof byToken> | PersonLogin;

const content = z.object({ login: z.union([byToken, byPerson]), until: z.int() });

/**
 * Logins in the browser. The cookie itself is the login: it is sealed under CODEC_KEYS, so every api process that has
 * them accepts it and nothing is stored. It names its token by digest, so it ends with the token.
 */
export class SessionCookies {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: () => number = Date.now,
  ) {}

  /** The value of the cookie; it holds for 12 h. */
  seal(login: Login): string {
    const text = JSON.stringify({ login, until: this.clock() + validMs });
    return this.sealer.seal(Buffer.from(text), place).toString('base64url');
  }

  /** Undefined: the cookie is not sealed by this deployment, or its time is over. */
  open(cookie: string): Login | undefined {
    try {
      const text = this.sealer.open(Buffer.from(cookie, 'base64url'), place).toString();
      const { login, until } = content.parse(JSON.parse(text));
      return this.clock() < until ? login : undefined;
    } catch {
      return undefined;
    }
  }
}

/** As the browser stores the cookie: no script reads it, and no other site's page sends it. */
export function cookieOptions(request: FastifyRequest): CookieSerializeOptions {
  return { ...removalOptions(request), maxAge: validMs / 1000 };
}

export function removalOptions(request: FastifyRequest): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: cameByTls(request) };
}

/** TLS ends at a proxy. A client that invents these headers changes only how it stores its own cookie. */
function cameByTls({ headers }: FastifyRequest): boolean {
  const schemes = [headers['x-forwarded-proto'], headers.origin?.split(':')[0]];
  return schemes.flat().includes('https');
}

export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
