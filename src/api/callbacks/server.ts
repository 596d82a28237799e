import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { Problem } from '../http/problem.js';
import { createServer, type ServerDeps } from '../http/server.js';
import { readyOr503, shareReadiness } from '../operations/readiness.js';

/**
 * A server for callbacks alone (CALLBACK_PORT): the paths of the profile, and whether they can be stored.
 * @param deps `intake`: the receiver; `probe` resolves while its database answers
 */
export async function createCallbackServer(
  deps: ServerDeps & { intake: FastifyPluginAsync; probe: () => Promise<unknown> },
): Promise<FastifyInstance> {
  const app = createServer(deps);
  const readChecks = shareReadiness({ database: deps.probe });
  app.setNotFoundHandler(() => {
    throw new Problem(
      'ROUTE_NOT_FOUND',
      'The path does not exist: this port accepts callbacks only. Use the port of the status API.',
    );
  });
  app.get('/readyz/intake', async () => {
    const checks = await readChecks();
    return readyOr503(deps.isStopping?.() ? { ...checks, process: 'failing' } : checks);
  });
  await app.register(deps.intake);
  return app;
}
