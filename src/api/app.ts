import cookies from '@fastify/cookie';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { activityRoute } from './activity/route.js';
import { alertRoute } from './alerts/route.js';
import { auditRoute } from './audit/route.js';
import { boardRoute } from './board/route.js';
import { bookingRoutes } from './bookings/routes.js';
import { intakeRoute } from './callbacks/intake-route.js';
import { inboxRoutes } from './callbacks/routes.js';
import { carRoutes } from './cars/routes.js';
import { carWriteRoutes } from './cars/write-routes.js';
import { changesRoute } from './changes/route.js';
import { codecRoute } from './codec/routes.js';
import { consoleFiles } from './console/files.js';
import type { ApiDeps } from './deps.js';
import { erasureRoutes } from './erasures/routes.js';
import { findingRoutes } from './findings/routes.js';
import { holdRoutes } from './holds/routes.js';
import { allowedMethods } from './http/allowed-methods.js';
import { Authenticator, requires } from './http/auth.js';
import type { Api, RouteContext } from './http/context.js';
import { noCallbackHere, noSuchPath } from './http/errors.js';
import { momentsIn } from './http/moments.js';
import { transform } from './http/openapi.js';
import { Problem } from './http/problem.js';
import { createSenderOf } from './http/sender.js';
import { sentencesFor } from './http/sentences.js';
import { createServer } from './http/server.js';
import { SessionCookies, sessionCookie } from './http/session-cookie.js';
import { TokenRefusals } from './http/token-refusals.js';
import { message } from './messages/message.js';
import { intakeReadinessRoute, operationsRoutes } from './operations/routes.js';
import { outboxRoutes } from './outbox/routes.js';
import { photoReadRoute } from './photos/read-route.js';
import { photoRoutes } from './photos/routes.js';
import { productRoutes } from './products/routes.js';
import { measureActions } from './reservations/action-metrics.js';
import { actionRoutes } from './reservations/action-routes.js';
import { assignedCarRoute } from './reservations/assigned-car-route.js';
import { claimRoutes } from './reservations/claim-routes.js';
import { decisionRoutes } from './reservations/decision-routes.js';
import { reservationRoutes } from './reservations/routes.js';
import { searchRoute } from './reservations/search-route.js';
import { scheduleRoute } from './schedule/route.js';
import { sessionRoutes } from './session/routes.js';
import { shiftRoutes } from './shifts/routes.js';

/**
 * The status API with the callback receiver, ready to `listen` (design, Public interface). Errors are RFC 9457
 * problem documents (`docs/problems.md`).
 */
export async function createApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = createServer(deps);
  // Fastify knows the method then, so that a known path answers 405 and not 404
  app.addHttpMethod('QUERY', { overrideExisting: true });
  const methods = allowedMethods(app);
  app.setNotFoundHandler((request) => {
    const isCallback = deps.callbacksElsewhere?.some((path) => pathOf(request).endsWith(path));
    if (isCallback && request.method === 'POST') throw noCallbackHere();
    throw noRoute(request, methods.of(pathOf(request)), deps.docs !== false);
  });
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.url?.includes(':') !== true) return;
    const path = pathOf(request);
    if (!methods.allows(path, request.method)) throw noRoute(request, methods.of(path), deps.docs !== false);
  });
  app.decorateRequest('caller', null);
  if (deps.docs !== false) await serveDocument(app);
  if (deps.intake !== undefined) await app.register(deps.intake);
  await app.register((scope) => consoleFiles(scope, deps.consoleFolder));
  await app.register(async (scope) => {
    scope.addHook('preParsing', async ({ caller, raw }) => {
      if (caller !== null) scope.connections?.senderKnown(raw.socket, 'staff');
    });
    await registerRoutes(scope as unknown as Api, deps);
  });
  return app;
}

async function registerRoutes(api: Api, deps: ApiDeps): Promise<void> {
  // the console takes no other answer for one of ours
  api.addHook('onRequest', async (_, reply) => void reply.header('handover-api', '1'));
  const refusals = new TokenRefusals({
    log: deps.log,
    registry: deps.metrics.registry,
    senderOf: deps.senderOf ?? createSenderOf([]),
  });
  await api.register(cookies);
  const sessionCookies = new SessionCookies(deps.sessionSealer, deps.clock);
  const authenticator = new Authenticator(deps.tokens, {
    refusals,
    cookies: sessionCookies,
    oidc: deps.oidc,
  });
  const context: RouteContext = {
    deps,
    write: momentsIn(deps.zoneOffsetMinutes),
    sentences: (reply) => sentencesFor(reply, deps.zoneOffsetMinutes),
    requires: (role) => requires(role, authenticator),
  };
  acceptEmptyJson(api);
  measureActions(api, deps.metrics.registry);
  operationsRoutes(api, context);
  intakeReadinessRoute(api, context);
  sessionRoutes(api, context, { authenticator, cookies: sessionCookies, refusals });
  boardRoute(api, context);
  bookingRoutes(api, context);
  reservationRoutes(api, context);
  searchRoute(api, context);
  assignedCarRoute(api, context);
  actionRoutes(api, context);
  decisionRoutes(api, context);
  claimRoutes(api, context);
  photoReadRoute(api, context);
  productRoutes(api, context);
  carRoutes(api, context);
  carWriteRoutes(api, context);
  holdRoutes(api, context);
  findingRoutes(api, context);
  inboxRoutes(api, context);
  outboxRoutes(api, context);
  intakeRoute(api, context);
  auditRoute(api, context);
  alertRoute(api, context);
  changesRoute(api, context, authenticator);
  activityRoute(api, context);
  shiftRoutes(api, context);
  erasureRoutes(api, context);
  scheduleRoute(api, context);
  if (deps.codec !== undefined) codecRoute(api, deps.codec, { deps, refusals, docs: deps.docs !== false });
  await api.register(async (scope) => photoRoutes(scope as unknown as Api, context));
}

/** Many clients send a content type with an empty body. */
function acceptEmptyJson(api: Api): void {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

function noRoute(request: FastifyRequest, allowed: string[], docs: boolean): Problem {
  if (allowed.length === 0) return noSuchPath(docs);
  const allow = allowed.join(', ');
  return new Problem('METHOD_NOT_ALLOWED', message('api.method', { method: request.method, allow }), {
    headers: { allow },
  });
}

/** In the order of the page. */
const tags = [
  'session',
  'reservations',
  'bookings',
  'staff actions',
  'settling',
  'findings',
  'fleet',
  'holds',
  'inbox',
  'operations',
  'callbacks',
];

async function serveDocument(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Handover',
        description:
          'Status API and staff actions. Sentences for people are in English or Korean, by `Accept-Language`; the answer states which in `Content-Language`.',
        version: '1',
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        },
      },
      security: [{ token: [] }, { session: [] }],
      tags: tags.map((name) => ({ name })),
    },
    transform,
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Handover', css: [{ filename: 'page.css', content: '.topbar { display: none }' }] },
  });
}
