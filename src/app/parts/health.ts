import { createOperationsApp } from '../../api/operations/app.js';
import { rowsOf } from '../../store/connection/rows.js';
import { assertWritable } from '../../store/connection/writable.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { claimPort } from '../../temporal/server/ports.js';
import type { ReadSdkMetrics } from '../../temporal/worker/sdk-metrics.js';
import { originOf } from '../config/address.js';
import { processMetrics } from '../metrics/process.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import type { WorkerHealth } from './worker-health.js';

interface HealthPartDeps {
  health: WorkerHealth;
  database: Pick<HandoverDatabase, 'prompt'>;
  sdkMetrics: ReadSdkMetrics;
}

/**
 * Starts the port of a worker: `/healthz`, `/readyz` and `/metrics`. It is stopped last, and not ready from the first
 * moment of a stop.
 * @returns its address
 */
export async function startHealthPart(
  setting: Setting,
  stack: Stack,
  { health, database, sdkMetrics }: HealthPartDeps,
): Promise<string> {
  const { config, log } = setting;
  const { host } = config.http;
  const port = await claimPort(config.worker.port, 'health of the worker', 'WORKER_PORT', host);
  const metrics = processMetrics(setting, health);
  const app = createOperationsApp({
    log,
    metrics,
    sdkMetrics,
    liveness: health.liveness(),
    probes: {
      ...health.readiness(),
      database: () => assertWritable(async (state) => rowsOf(await database.prompt.execute(state))),
    },
    isStopping: () => stack.isStopping,
  });
  await stack.start(
    'health of the worker',
    () => app.listen({ host, port }),
    () => app.close(),
  );
  return originOf(host, port);
}
