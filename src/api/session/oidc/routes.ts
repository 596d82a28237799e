import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../../deps.js';
import type { OidcSettings } from '../../http/access.js';
import type { Authenticator, Caller } from '../../http/auth.js';
import type { Api } from '../../http/context.js';
import { problems } from '../../http/problem-schema.js';
import { cookieOptions, type SessionCookies, sessionCookie } from '../../http/session-cookie.js';
import type { TokenRefusals } from '../../http/token-refusals.js';
import { BegunLogins, loginWithinSeconds } from './begun-logins.js';
import { callbackPath, IdentityProvider, isAway } from './provider.js';

const oidcPath = '/api/session/oidc';
/** Between leaving for the provider and the return. Lax: the return is a link of another site. */
const cookie = 'handover_oidc';
/** After a logout the next person at the browser is another one: the provider must not log the last one in again. */
const loggedOutCookie = 'handover_logged_out';
const loggedOutSeconds = 24 * 3_600;

/** Why a login did not succeed; the console shows it: `#login-failed=REASON`. */
type Failure =
  /** The provider does not answer. */
  | 'unavailable'
  /** The return fits no login that this browser began, or the provider refused it. */
  | 'failed'
  /** The person is in no group that has a role. */
  | 'refused';

type Deps = { refusals: Pick<TokenRefusals, 'check' | 'countFailed'> } & Pick<
  ApiDeps,
  'sessionSealer' | 'persons' | 'log' | 'clock'
>;
interface Login {
  oidc: NonNullable<ApiDeps['oidc']>;
  cookies: SessionCookies;
  authenticator: Pick<Authenticator, 'callerOfLogin'>;
}

/** GET /api/session/oidc sends the browser to the identity provider, and its callback logs the person in. */
export function oidcRoutes(
  api: Api,
  { sessionSealer: sealer, persons, log, refusals, clock = Date.now }: Deps,
  { oidc, cookies, authenticator }: Login,
): void {
  const provider = new IdentityProvider(oidc);
  const begun = new BegunLogins(sealer, clock);
  const options = { ...optionsFor(oidc.consoleUrl), maxAge: loginWithinSeconds };
  const fail = (reply: FastifyReply, to: string, failure: Failure, error?: unknown) => {
    // never its message: it may hold what the provider writes of a person (L60)
    const { code, name, error: refusal } = (error ?? {}) as Record<string, unknown>;
    log.warn(
      { failure, code: refusal ?? code ?? name },
      'a login with the identity provider did not succeed',
    );
    return reply.redirect(`${ownPath(to, oidc.consoleUrl)}#login-failed=${failure}`, 303);
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
    async ({ query: { to }, cookies: sent }, reply) => {
      try {
        const { address, check } = await provider.begin(sent[loggedOutCookie] !== undefined);
        reply.setCookie(cookie, begun.seal({ check, to }), options);
        return reply.redirect(address.href, 303);
      } catch (error) {
        return fail(reply, to, 'unavailable', error);
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
      // the provider is asked with our secret: an address that fails again and again has to wait
      refusals.check(request);
      reply.clearCookie(cookie, options);
      let to = '/';
      try {
        const accepted = begun.acceptOnce(request.cookies[cookie]);
        to = accepted.to;
        const login = await provider.finish(request.url, accepted.check);
        const caller = authenticator.callerOfLogin(login);
        if (caller === undefined) return fail(reply, to, 'refused');
        await remember(caller);
        const secure = options.secure === true;
        reply.clearCookie(loggedOutCookie, options);
        reply.setCookie(sessionCookie, cookies.seal(login), { ...cookieOptions(request), secure });
        return reply.redirect(ownPath(to, oidc.consoleUrl), 303);
      } catch (error) {
        if (isAway(error)) return fail(reply, to, 'unavailable', error);
        refusals.countFailed(request);
        return fail(reply, to, 'failed', error);
      }
    },
  );
}

/** After a logout the identity provider asks who the next user is. */
export function markLoggedOut(reply: FastifyReply, { consoleUrl }: Pick<OidcSettings, 'consoleUrl'>): void {
  reply.setCookie(loggedOutCookie, '1', { ...optionsFor(consoleUrl), maxAge: loggedOutSeconds });
}

const optionsFor = (consoleUrl: string): CookieSerializeOptions => ({
  path: oidcPath,
  httpOnly: true,
  sameSite: 'lax',
  secure: consoleUrl.startsWith('https:'),
});

/** An address of another site is none of the console; nor is a path such as `//evil.example`, which a browser reads as one. */
function ownPath(to: string, consoleUrl: string): string {
  const address = URL.canParse(to, consoleUrl) ? new URL(to, consoleUrl) : undefined;
  if (address?.origin !== consoleUrl) return '/';
  return address.pathname.replace(/^[/\\]+/, '/') + address.search;
}
