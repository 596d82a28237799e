import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Tracing } from '../../contract/tracing.js';
import { Connections } from './connections.js';
import { errorHandler, problemOf } from './errors.js';
import { type HttpLimits, httpLimits, longestCallbackSecret } from './limits.js';
import type { Metrics } from './metrics.js';
import { refuseWhatIsNotHttp } from './not-http.js';
import { sendProblem } from './problem.js';
import { traceRequests } from './trace-requests.js';
import { TrustedSenders } from './trusted-senders.js';

const jsonBodyBytes = 64 * 1024;

export interface ServerDeps {
  log: Logger;
  metrics: Metrics;
  limits?: Partial<HttpLimits>;
  /** Shared with the receiver on this server; absent: none is trusted. */
  trusted?: TrustedSenders;
  /** True once the process stops. */
  isStopping?: () => boolean;
  /** Absent: requests are not traced. */
  tracing?: Tracing | undefined;
}

/** An HTTP server without a route: bounded, counted, and every refusal a problem document. */
export function createServer({
  log,
  metrics,
  trusted,
  isStopping,
  tracing,
  ...deps
}: ServerDeps): FastifyInstance {
  const limits = { ...httpLimits, ...deps.limits };
  const app: FastifyInstance = Fastify({
    http: {
      headersTimeout: limits.headersWithinMs,
      maxHeaderSize: limits.headerBytes,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    loggerInstance: log as FastifyBaseLogger,
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
  boundConnections(app, limits, metrics.registry, trusted ?? new TrustedSenders({ allow: [], proxies: [] }));
  app.setValidatorCompiler(validatorCompiler);
  // Answers are held to their schemas by types and tests; checking each again would cost every request.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(errorHandler(log));
  observeRequests(app, metrics, log);
  if (tracing !== undefined) traceRequests(app, tracing);
  // a connection that stays open would break when the listener closes
  app.addHook('onRequest', async (_, reply) => {
    if (isStopping?.()) reply.header('connection', 'close');
  });
  return app;
}

function boundConnections(
  app: FastifyInstance,
  limits: HttpLimits,
  registry: Registry,
  trusted: TrustedSenders,
): void {
  const closed = refusedConnections(registry);
  const connections = new Connections(limits, trusted, () => closed.inc());
  app.decorate('connections', connections);
  app.server.on('connection', (socket) => connections.admit(socket));
  app.addHook('onRequest', async ({ raw }) => connections.requestBegan(raw.socket));
  app.addHook('onResponse', async ({ raw }) => connections.requestEnded(raw.socket));
  // bounds connections that arrive faster than others can be closed
  app.server.maxConnections = 2 * limits.connections + limits.streams;
  app.server.on('drop', () => closed.inc());
  limitClosing(app, connections, limits.stopWithinMs);
  // else Node closes the connection of a sender that has ended its side, before the answer is written
  Object.assign(app.server, { httpAllowHalfOpen: true });
}

/** Bounds the time of `close`: Node waits for each connection, and stops the timers that would end an idle one. */
function limitClosing(app: FastifyInstance, connections: Connections, withinMs: number): void {
  app.addHook('preClose', async () => {
    connections.end();
    const late = setTimeout(() => app.server.closeAllConnections(), withinMs).unref();
    app.server.once('close', () => clearTimeout(late));
  });
}

/** One for all servers of a process. */
function refusedConnections(registry: Registry): Counter {
  const name = 'handover_http_refused_connections_total';
  const known = registry.getSingleMetric(name);
  if (known instanceof Counter) return known;
  return new Counter({
    name,
    help: 'Connections that were closed because too many were open',
    registers: [registry],
  });
}

function observeRequests(app: FastifyInstance, { requestSeconds }: Metrics, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    requestSeconds.observe(labels, reply.elapsedTime / 1000);
    log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, 'request');
  });
}
