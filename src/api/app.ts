import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import { Counter } from 'prom-client';
import { longestCallbackSecret } from '../config/variables.js';
import { httpLimits } from '../http/limits.js';
import { refuseWhatIsNotHttp } from '../http/not-http.js';
import { Problem, sendProblem } from '../http/problem.js';
import { allowedMethods } from './allowed-methods.js';
import { authenticator, requires } from './auth.js';
import type { ApiDeps } from './deps.js';
import { errorHandler, problemOf } from './errors.js';
import { momentsIn } from './moments.js';
import { actionRoutes } from './routes/actions.js';
import { alertRoute } from './routes/alerts.js';
import { assignedCarRoute } from './routes/assigned-car.js';
import { auditRoute } from './routes/audit.js';
import { bookingRoutes } from './routes/bookings.js';
import { carWriteRoutes } from './routes/car-writes.js';
import { carRoutes } from './routes/cars.js';
import { codecRoute } from './routes/codec.js';
import type { Api, RouteContext } from './routes/context.js';
import { findingRoutes } from './routes/findings.js';
import { holdRoutes } from './routes/holds.js';
import { inboxRoutes } from './routes/inbox.js';
import { intakeRoute } from './routes/intake.js';
import { operationsRoutes } from './routes/operations.js';
import { photoRoutes } from './routes/photos.js';
import { productRoutes } from './routes/products.js';
import { reservationRoutes } from './routes/reservations.js';
import { settlementRoutes } from './routes/settlements.js';

const jsonBodyBytes = 64 * 1024;

/**
 * The status API with the callback receiver, ready to `listen` (design, Public interface). Errors are RFC 9457
 * problem documents (`docs/problems.md`).
 */
export async function createApi(deps: ApiDeps): Promise<FastifyInstance> {
  const limits = { ...httpLimits, ...deps.limits };
  const app: FastifyInstance = Fastify({
    http: {
      headersTimeout: limits.headersWithinMs,
      maxHeaderSize: limits.headerBytes,
      connectionsCheckingInterval: limits.lookEveryMs,
    },
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // the secret of `secret-path` is a part of the path
    routerOptions: { maxParamLength: longestCallbackSecret },
    bodyLimit: jsonBodyBytes,
    requestTimeout: limits.requestWithinMs,
    keepAliveTimeout: limits.idleMs,
    clientErrorHandler: refuseWhatIsNotHttp,
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply, problemOf(error));
    },
  });
  boundConnections(app, limits.connections, deps.metrics);
  const methodsOf = allowedMethods(app);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are held to their schemas by types and tests; checking each again would cost every request.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(errorHandler(deps.log));
  app.setNotFoundHandler((request) => {
    throw noRoute(request, methodsOf(request.url.split('?')[0] ?? ''));
  });
  app.decorateRequest('caller', null);
  observeRequests(app, deps);
  await document(app);
  if (deps.intake !== undefined) await app.register(deps.intake);
  await app.register(async (scope) => routes(scope as unknown as Api, deps));
  return app;
}

async function routes(api: Api, deps: ApiDeps): Promise<void> {
  const authenticate = authenticator(deps.tokens);
  const context: RouteContext = {
    deps,
    write: momentsIn(deps.zoneOffsetMinutes),
    requires: (role) => requires(role, authenticate),
  };
  acceptEmptyJson(api);
  operationsRoutes(api, context);
  bookingRoutes(api, context);
  reservationRoutes(api, context);
  assignedCarRoute(api, context);
  actionRoutes(api, context);
  settlementRoutes(api, context);
  productRoutes(api, context);
  carRoutes(api, context);
  carWriteRoutes(api, context);
  holdRoutes(api, context);
  findingRoutes(api, context);
  inboxRoutes(api, context);
  intakeRoute(api, context);
  auditRoute(api, context);
  alertRoute(api, context);
  if (deps.codec !== undefined) codecRoute(api, deps.codec);
  await api.register(async (scope) => photoRoutes(scope as unknown as Api, context));
}

/** Many clients name a content type also where they send nothing. */
function acceptEmptyJson(api: Api): void {
  const parse = api.getDefaultJsonParser('error', 'error');
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

function noRoute(request: FastifyRequest, allowed: string[]): Problem {
  if (allowed.length === 0) {
    return new Problem('ROUTE_NOT_FOUND', 'The paths that exist are listed at /docs.');
  }
  const allow = allowed.join(', ');
  return new Problem('METHOD_NOT_ALLOWED', `The path takes ${allow}, not ${request.method}.`, {
    headers: { allow },
  });
}

function boundConnections(app: FastifyInstance, most: number, { registry }: ApiDeps['metrics']): void {
  const refused = new Counter({
    name: 'handover_http_refused_connections_total',
    help: 'Connections that were closed at once because too many were open',
    registers: [registry],
  });
  app.server.maxConnections = most;
  // else Node hangs up on a sender that has said all it will say, before its answer is there
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.server.on('drop', () => refused.inc());
}

function observeRequests(app: FastifyInstance, { metrics, log }: ApiDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
    log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, 'request');
  });
}

async function document(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Handover', description: 'Status API and staff actions', version: '1' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
      // The order of the page.
      tags: [
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
      ].map((name) => ({
        name,
      })),
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Handover', css: [{ filename: 'page.css', content: '.topbar { display: none }' }] },
  });
}
