import { Rounds } from '../../inbox/rounds.js';
import type { Alerts } from '../../store/alerts/alerts.js';
import { OwnAlerts } from '../../store/alerts/own-alerts.js';
import { databaseErrorCode } from '../../store/connection/errors.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { listStuckWorkflows } from '../../temporal/client/stuck-workflows.js';
import type { ReadSdkMetrics } from '../../temporal/worker/sdk-metrics.js';
import { StallWatch } from '../../temporal/worker/stall-watch.js';
import { StuckWatch } from '../../temporal/worker/stuck-watch.js';
import { readWorkerFigures } from '../../temporal/worker/worker-figures.js';
import { WorkerWatch } from '../../temporal/worker/worker-watch.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';

const everyMs = 30_000;

export interface WorkerWatchDeps {
  temporal: Pick<TemporalClient, 'client'>;
  alerts: Alerts;
  sdkMetrics: ReadSdkMetrics;
  log: Logger;
  /** Called when no workflow task of this worker begins for two minutes, and nearly all slots are in use. */
  onStalled: () => void;
  /** Whether Temporal is connected: what it reports is read only then. */
  isConnected?: () => boolean;
}

/** Starts the watch over this worker's tasks: late, without slots, failing, or of histories that do not replay. */
export async function startWorkerWatch(
  stack: Stack,
  { temporal, alerts, sdkMetrics, log, onStalled, isConnected = () => true }: WorkerWatchDeps,
): Promise<void> {
  const own = new OwnAlerts(alerts);
  const [worker, stuck, stall] = [new WorkerWatch(own), new StuckWatch(own), new StallWatch()];
  const rounds = new Rounds({
    name: 'the watch over the tasks of the worker',
    log,
    everyMs,
    async round() {
      const metrics = await sdkMetrics();
      // not read in time: to take that for a reading would look as if nothing had been done
      if (metrics === '') return;
      const figures = readWorkerFigures(metrics);
      // first: it needs no database, and a failure below must not delay it
      if (stall.check(isConnected() ? figures : null, Date.now())) onStalled();
      await worker.check(figures, Date.now());
      if (isConnected()) await stuck.check(await listStuckWorkflows(temporal.client), figures, Date.now());
    },
  });
  await stack.start(
    'watch over tasks',
    async () => rounds.start(),
    async () => {
      await rounds.stop();
      await own
        .clearRaised(Date.now())
        .catch((error: unknown) =>
          log.warn({ code: databaseErrorCode(error) }, 'alerts about the tasks of this worker stay open'),
        );
    },
  );
}
