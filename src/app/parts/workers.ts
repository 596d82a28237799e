import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { NativeConnection, WorkflowBundlePath } from '@temporalio/worker';
import type { Activities } from '../../contract/activities.js';
import { scanQueueOf, taskQueue } from '../../contract/names.js';
import { SampledLog } from '../../inbox/sampled-log.js';
import { databaseErrorCode } from '../../store/connection/errors.js';
import { createTemporalClient, type TemporalClient } from '../../temporal/client/create-client.js';
import { withoutWaitingForKeys } from '../../temporal/codec.js';
import { connectWorker } from '../../temporal/connection/connection.js';
import type { ConnectionMonitor } from '../../temporal/connection/connection-monitor.js';
import { ratesOf } from '../../temporal/worker/rates.js';
import { type ReplacementReason, SupervisedWorkers } from '../../temporal/worker/supervised-workers.js';
import { versioningOf } from '../../temporal/worker/versioning.js';
import {
  createActivityWorkers,
  createScanWorker,
  createWorkflowWorker,
} from '../../temporal/worker/worker.js';
import type { Workers } from '../../temporal/worker/worker-generation.js';
import { WorkerGroup } from '../../temporal/worker/worker-group.js';
import type { Config } from '../config/index.js';
import { readBuildId } from '../installation.js';
import type { Setting } from '../startup/setting.js';

export interface ProcessWorkersDeps {
  temporal: TemporalClient;
  /** Absent: Temporal is there. */
  monitor?: Pick<ConnectionMonitor, 'connected'> | undefined;
  bundle: WorkflowBundlePath;
  /** Of all workers but the scan worker. */
  activities: Activities;
  scans: object;
  /** Workflows in memory, and the time for shutdown in milliseconds, where a rehearsal needs others. */
  cached?: number | undefined;
  graceMs?: number | undefined;
}

/**
 * The workers of a process. That of workflows is replaced where the SDK has lost tasks of it; the others are not, so that
 * a replacement cuts no booking short.
 */
export class ProcessWorkers {
  private readonly workflows: SupervisedWorkers;
  private readonly others: SupervisedWorkers;

  constructor({ config, log, tracing }: Setting, deps: ProcessWorkersDeps) {
    const { temporal, monitor, bundle, activities, scans, cached, graceMs } = deps;
    const { namespace } = temporal.target;
    const { slots } = config.worker;
    const rates = ratesOf(config.platform.perSecond);
    const shared = async (connection: NativeConnection) => ({
      connection,
      namespace,
      taskQueue,
      dataConverter: temporal.dataConverter,
      versioning: await versioningOf(connection, versionOf(config), { namespace, log }),
      tracing,
      ...(graceMs !== undefined && { shutdownGraceMs: graceMs }),
    });
    const { client: returning } = createTemporalClient(
      temporal.target,
      temporal.connection,
      withoutWaitingForKeys(temporal.dataConverter),
      { tracing },
    );
    const sampled = new SampledLog(log);
    const supervised = (create: (connection: NativeConnection) => Promise<Workers>) =>
      new SupervisedWorkers({
        connected: async () => monitor?.connected(),
        connect: () => connectWorker(temporal.target),
        create,
        log,
      });
    this.workflows = supervised(async (connection) => ({
      worker: new WorkerGroup([
        await createWorkflowWorker({
          ...(await shared(connection)),
          bundle,
          activities,
          directRows: {
            store: activities.record,
            client: returning,
            // a worker of 0.3.0 may have to continue what runs without data keys: it expects local activities
            isOffered: config.codec.writesDataKeys,
            onFailed: (error) => sampled.logRowsNotStored(databaseErrorCode(error)),
          },
          slots: slots.platform,
          perSecond: rates.others?.platform,
          ...(cached !== undefined && { maxCachedWorkflows: cached }),
        }),
      ]),
    }));
    this.others = supervised(async (connection) => {
      const each = await shared(connection);
      const bookingsPerSecond = rates.others?.bookings;
      return {
        'activity worker': new WorkerGroup(
          await createActivityWorkers({ ...each, activities, slots, bookingsPerSecond }),
        ),
        'scan worker': await createScanWorker({
          ...each,
          taskQueue: scanQueueOf(taskQueue),
          slots: slots.scans,
          perSecond: rates.scans,
          activities: scans,
        }),
      };
    });
  }

  start(): void {
    this.workflows.start();
    this.others.start();
  }

  /** Resolves when all run for the first time. @throws Error when `stop` is called before that */
  async running(): Promise<void> {
    await Promise.all([this.workflows.running(), this.others.running()]);
  }

  /** Whether each worker polls for tasks; without those that have not begun yet. */
  polling(): Record<string, boolean> {
    return { ...this.workflows.polling(), ...this.others.polling() };
  }

  /** Another worker takes the place of the one that runs workflows (see `SupervisedWorkers`). */
  replace(reason: ReplacementReason): void {
    this.workflows.replace(reason);
  }

  /** How many workers that were replaced never finished their tasks. */
  get abandoned(): number {
    return this.workflows.abandoned;
  }

  /** Resolves when the tasks in progress are finished, or the time for shutdown is over. */
  async stop(): Promise<void> {
    await Promise.all([this.workflows.stop(), this.others.stop()]);
  }
}

/** The version that workers of this process run as; undefined without Worker Versioning. */
function versionOf({ temporal: { deployment } }: Config): WorkerDeploymentVersion | undefined {
  return deployment && { deploymentName: deployment.name, buildId: deployment.buildId ?? readBuildId() };
}
