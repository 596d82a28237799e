import { z } from 'zod';
import type { Probe } from '../../temporal/client/probes.js';
import type { ApiDeps } from '../deps.js';
import type { Api } from '../http/context.js';
import { readMetrics } from '../http/metrics.js';
import { problems } from '../http/problem-schema.js';
import { probeWithinMs, readReadiness, readyOr503, shareReadiness } from './readiness.js';

const open = { tags: ['operations'], security: [] };

export type OperationsDeps = Pick<
  ApiDeps,
  'metrics' | 'sdkMetrics' | 'liveness' | 'probes' | 'intakeProbe' | 'receiver' | 'isStopping'
>;

/** Liveness, readiness and metrics; without a token, for orchestrators. */
export function operationsRoutes(api: Api, { deps }: { deps: OperationsDeps }): void {
  api.get(
    '/healthz',
    {
      schema: {
        summary: 'The process lives',
        ...open,
        response: { 200: z.object({ status: z.literal('ok') }), ...problems },
      },
    },
    async () => {
      readyOr503(await readReadiness(deps.liveness ?? {}, probeWithinMs));
      return { status: 'ok' as const };
    },
  );

  readyRoute(api, deps, {
    path: '/readyz',
    summary: 'Everything that the service needs answers',
    probes: deps.probes,
  });

  api.get(
    '/metrics',
    { schema: { summary: 'Prometheus', ...open, produces: ['text/plain'] } },
    async (_, reply) => {
      const [own, sdk = ''] = await Promise.all([readMetrics(deps.metrics), deps.sdkMetrics?.()]);
      return reply.type(deps.metrics.registry.contentType).send(own + sdk);
    },
  );
}

/** Readiness to receive callbacks: Temporal and the workers may be away. */
export function intakeReadinessRoute(api: Api, { deps }: { deps: OperationsDeps }): void {
  const database = deps.intakeProbe ?? deps.probes.database;
  const summary = 'Callbacks are accepted: the database answers, and the receiver runs';
  const { receiver } = deps;
  const probes = { database, ...(receiver !== undefined && { receiver }) };
  readyRoute(api, deps, { path: '/readyz/intake', summary, probes });
}

const ready = z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.literal('ok')) });

function readyRoute(
  api: Api,
  { isStopping }: Pick<OperationsDeps, 'isStopping'>,
  { path, summary, probes }: { path: string; summary: string; probes: Readonly<Record<string, Probe>> },
): void {
  const readChecks = shareReadiness(probes);
  api.get(path, { schema: { summary, ...open, response: { 200: ready, ...problems } } }, async () => {
    const checks = await readChecks();
    // not ready, but still serving, while it is about to stop
    return readyOr503(isStopping?.() ? { ...checks, process: 'failing' } : checks);
  });
}
