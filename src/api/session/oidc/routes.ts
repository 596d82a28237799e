import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../../deps.js';
import type { Authenticator, Caller } from '../../http/auth.js';
import type { Api } from '../../http/context.js';
import { problems } from '../../http/problem-schema.js';
import { cookieOptions, type SessionCookies, sessionCookie } from '../../http/session-cookie.js';
import { callbackPath, IdentityProvider } from './provider.js';

const oidcPath = '/api/session/oidc';
/** Between leaving for the provider and the return. Lax: the return is a link of another site. */
const cookie = 'handover_oidc';
const place = 'session/oidc';
const withinSeconds = 10 * 60;

const begun = z.object({
  check: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  to: z.string(),
  until: z.int(),
});

/** Why a login did not succeed; the console shows it: `/#login-failed=REASON`. */
type Failure =
  /** The provider does not answer. */
  | 'unavailable'
  /** The return fits no login that this browser began, or the provider refused it. */
  | 'failed'
  /** The person is in no group that has a role. */
  | 'refused';

type Deps = Pick<ApiDeps, 'sessionSealer' | 'persons' | 'log' | 'clock'>;
interface Login {
  oidc: NonNullable<ApiDeps['oidc']>;
  cookies: SessionCookies;
  authenticator: Pick<Authenticator, 'callerOfLogin'>;
}

/** GET /api/session/oidc sends the browser to the identity provider, and its callback logs the person in. */
export function oidcRoutes(
  api: Api,
  { sessionSealer: sealer, persons, log, clock = Date.now }: Deps,
  { oidc, cookies, authenticator }: Login,
): void {
  const provider = new IdentityProvider(oidc);
  const options: CookieSerializeOptions = {
    path: oidcPath,
    httpOnly: true,
    sameSite: 'lax',
    secure: oidc.consoleUrl.startsWith('https:'),
    maxAge: withinSeconds,
  };
  const fail = (reply: FastifyReply, failure: Failure, error?: unknown) => {
    // never its message: it may hold what the provider writes of a person (L60)
    const { code, name, error: refusal } = (error ?? {}) as Record<string, unknown>;
    log.warn(
      { failure, code: refusal ?? code ?? name },
      'a login with the identity provider did not succeed',
    );
    return reply.redirect(`/#login-failed=${failure}`, 303);
  };
  const common = { tags: ['session'], security: [] };
  const redirect = z.undefined().describe('Redirects the browser');

  api.get(
    oidcPath,
    {
      schema: {
        summary: 'Log in with the identity provider: for browsers',
        ...common,
        querystring: z.strictObject({
          to: z.string().max(2_000).default('/').describe('Path of the console to show after the login'),
        }),
        response: { 303: redirect, ...problems },
      },
    },
    async ({ query: { to } }, reply) => {
      try {
        const { address, check } = await provider.begin();
        const text = JSON.stringify({ check, to, until: clock() + withinSeconds * 1000 });
        reply.setCookie(cookie, sealer.seal(Buffer.from(text), place).toString('base64url'), options);
        return reply.redirect(address.href, 303);
      } catch (error) {
        return fail(reply, 'unavailable', error);
      }
    },
  );

  /** Others can give attention items to this person. Best effort: the login needs no database. */
  const remember = async ({ role, name }: Caller) => {
    if (role === 'viewer') return;
    await persons
      .loggedIn({ role, name }, clock())
      .catch((error) => log.warn({ code: error?.code ?? error?.name }, 'a login is not remembered'));
  };

  const readBegun = (sealed: string | undefined) => {
    const text = sealer.open(Buffer.from(sealed ?? '', 'base64url'), place).toString();
    const { until, ...rest } = begun.parse(JSON.parse(text));
    if (until <= clock()) throw new Error('the login took too long');
    return rest;
  };

  api.get(
    callbackPath,
    {
      schema: {
        summary: 'The return from the identity provider: sets the cookie of the login',
        ...common,
        response: { 303: redirect, ...problems },
      },
    },
    async (request, reply) => {
      reply.clearCookie(cookie, options);
      try {
        const { check, to } = readBegun(request.cookies[cookie]);
        const login = await provider.finish(request.url, check);
        const caller = authenticator.callerOfLogin(login);
        if (caller === undefined) return fail(reply, 'refused');
        await remember(caller);
        const secure = options.secure === true;
        reply.setCookie(sessionCookie, cookies.seal(login), { ...cookieOptions(request), secure });
        return reply.redirect(ownPath(to, oidc.consoleUrl), 303);
      } catch (error) {
        return fail(reply, 'failed', error);
      }
    },
  );
}

/** An address of another site is none of the console; nor is a path such as `//evil.example`, which a browser reads as one. */
function ownPath(to: string, consoleUrl: string): string {
  const address = URL.canParse(to, consoleUrl) ? new URL(to, consoleUrl) : undefined;
  if (address?.origin !== consoleUrl) return '/';
  return address.pathname.replace(/^[/\\]+/, '/') + address.search;
}
