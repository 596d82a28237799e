import { z } from 'zod';
import { offsetText } from '../../domain/shared/time.js';
import type { ApiDeps } from '../deps.js';
import { type Authenticator, type Caller, callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { isFromOwnPage } from '../http/own-page.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { cookieOptions, removalOptions, type SessionCookies, sessionCookie } from '../http/session-cookie.js';
import type { TokenRefusals } from '../http/token-refusals.js';
import { message } from '../messages/message.js';
import { markLoggedOut, oidcRoutes } from './oidc/routes.js';
import { loginMethods, me, staffList, tokenLogin } from './schemas.js';
import { readStaff } from './staff.js';

const tags = ['session'];

interface SessionParts {
  authenticator: Authenticator;
  cookies: SessionCookies;
  refusals: TokenRefusals;
}

/** Login in the browser: the token is sent once, and a cookie takes its place. */
export function sessionRoutes(
  api: Api,
  { deps, requires }: RouteContext,
  { authenticator, cookies, refusals }: SessionParts,
): void {
  api.post(
    '/api/session',
    {
      schema: {
        summary: 'Log in: sets the cookie that takes the place of the token, for 12 h',
        tags,
        security: [],
        body: tokenLogin,
        response: { 200: me, ...problems },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request);
      const { digest, caller } = authenticator.tokenOf(request, request.body.token);
      const login = { token: digest.toString('base64') };
      reply.setCookie(sessionCookie, cookies.seal(login), cookieOptions(request));
      return describe(caller, deps);
    },
  );

  const methods: z.output<typeof loginMethods> = {
    methods: deps.oidc === undefined ? ['token'] : ['oidc', 'token'],
  };
  api.get(
    '/api/session',
    {
      schema: { summary: 'How to log in', tags, security: [], response: { 200: loginMethods, ...problems } },
    },
    async () => methods,
  );
  if (deps.oidc !== undefined)
    oidcRoutes(api, { ...deps, refusals }, { oidc: deps.oidc, cookies, authenticator });

  api.delete(
    '/api/session',
    {
      schema: {
        summary: 'Log out: removes the cookie',
        tags,
        security: [],
        response: { 204: z.undefined().describe('The cookie is removed'), ...problems },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request);
      if (deps.oidc !== undefined) markLoggedOut(reply, deps.oidc);
      return reply.clearCookie(sessionCookie, removalOptions(request)).code(204).send();
    },
  );

  api.get(
    '/api/me',
    {
      onRequest: requires('viewer'),
      schema: { summary: 'Who is logged in', tags, response: { 200: me, ...problems } },
    },
    async (request) => describe(callerOf(request), deps),
  );

  api.get(
    '/api/staff',
    {
      onRequest: requires('viewer'),
      schema: { summary: 'Who can act', tags, response: { 200: staffList, ...problems } },
    },
    async () => ({ items: await readStaff(deps) }),
  );
}

/** A page of another site can neither log a browser in nor out. @throws `Problem` ORIGIN_NOT_ALLOWED */
function refuseOtherSites(request: Parameters<typeof isFromOwnPage>[0]): void {
  if (isFromOwnPage(request) === false)
    throw new Problem('ORIGIN_NOT_ALLOWED', message('api.from-elsewhere', {}));
}

function describe({ name, role }: Caller, deps: ApiDeps): z.output<typeof me> {
  return {
    name,
    role,
    platformRoles: [...deps.fleet.roles],
    timeZone: offsetText(deps.zoneOffsetMinutes, ':'),
    ...deps.installation,
  };
}
