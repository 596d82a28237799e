import { z } from 'zod';
import { Problem } from '../../http/problem.js';
import { type Readiness, readiness } from '../readiness.js';
import { problems } from '../schemas/problem.js';
import { SharedReads } from '../shared-reads.js';
import type { Api, RouteContext } from './context.js';

const probeWithinMs = 2_000;

/** Liveness, readiness and metrics; without a token, for orchestrators ask. */
export function operationsRoutes(api: Api, { deps }: RouteContext): void {
  const open = { tags: ['operations'], security: [] };
  const reads = new SharedReads<Readiness>(1_000);

  api.get(
    '/healthz',
    {
      schema: {
        summary: 'The process lives',
        ...open,
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  api.get(
    '/readyz',
    {
      schema: {
        summary: 'Everything that the service needs answers',
        ...open,
        response: {
          200: z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.literal('ok')) }),
          ...problems,
        },
      },
    },
    async () => {
      const checks = await reads.get('', () => readiness(deps.probes, probeWithinMs));
      const failing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
      if (failing.length > 0) {
        throw new Problem('NOT_READY', `These do not answer: ${failing.join(', ')}.`, {
          members: { checks },
        });
      }
      return { status: 'ready' as const, checks: checks as Record<string, 'ok'> };
    },
  );

  api.get(
    '/metrics',
    { schema: { summary: 'Prometheus', ...open, produces: ['text/plain'] } },
    async (_, reply) => {
      const { registry } = deps.metrics;
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}
