import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { SharedReads } from '../../temporal/client/shared-reads.js';
import { Problem } from '../http/problem.js';
import { createServer, type ServerDeps } from '../http/server.js';
import { probeWithinMs, type Readiness, readReadiness, readyOr503 } from '../operations/readiness.js';

/**
 * A server for callbacks alone (CALLBACK_PORT): the paths of the profile, and whether they can be stored.
 * @param deps `intake`: the receiver; `probe` resolves while its database answers
 */
export async function createCallbackServer(
  deps: ServerDeps & { intake: FastifyPluginAsync; probe: () => Promise<unknown> },
): Promise<FastifyInstance> {
  const app = createServer(deps);
  const reads = new SharedReads<Readiness>(1_000);
  app.setNotFoundHandler(() => {
    throw new Problem('ROUTE_NOT_FOUND', 'This port takes callbacks alone.');
  });
  app.get('/readyz/intake', async () => {
    const checks = await reads.get('', () => readReadiness({ database: deps.probe }, probeWithinMs));
    return readyOr503(deps.isStopping?.() ? { ...checks, process: 'failing' } : checks);
  });
  await app.register(deps.intake);
  return app;
}
