import type { FastifyInstance } from 'fastify';
import type { Api } from '../http/context.js';
import { Problem } from '../http/problem.js';
import { createServer, type ServerDeps } from '../http/server.js';
import { type OperationsDeps, operationsRoutes } from './routes.js';

/** Few clients: orchestrators and Prometheus. */
const limits = { connections: 100 };

/** Liveness, readiness and metrics of a process that serves nothing else, ready to `listen`. */
export function createOperationsApp(deps: OperationsDeps & Pick<ServerDeps, 'log'>): FastifyInstance {
  const app = createServer({ ...deps, limits });
  app.setNotFoundHandler(() => {
    throw new Problem('ROUTE_NOT_FOUND', 'The path does not exist. Use /healthz, /readyz or /metrics.');
  });
  operationsRoutes(app as unknown as Api, { deps });
  return app;
}
