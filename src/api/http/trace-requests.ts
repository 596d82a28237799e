import type { FastifyInstance } from 'fastify';
import type { OpenSpan, Tracing } from '../../contract/tracing.js';

/** What is not of interest in a trace: probes, the stream of changes, the console's files. */
const traced = (route: string, isCallback: boolean) =>
  isCallback || (route.startsWith('/api/') && route !== '/api/changes');

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | undefined;
  }
}

/** A span for each request of the API and each callback; the sender's trace continues (W3C Trace Context). */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _, done) => {
    const { url: route = '', config } = request.routeOptions;
    if (!traced(route, 'channel' in config)) return done();
    const { traceparent } = request.headers;
    const span = tracing.begin({
      // of the pattern: an id, or the secret of a path, is no part of it
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': request.method, 'http.route': route },
    });
    request.span = span;
    span.run(done);
  });
  app.addHook('onResponse', async ({ span }, { statusCode }) => {
    const attributes = { 'http.response.status_code': statusCode };
    span?.end({ attributes, ...(statusCode >= 500 && { failed: String(statusCode) }) });
  });
}
