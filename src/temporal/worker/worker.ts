import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import type { Tracing } from '../../contract/tracing.js';
import { refuseUnencrypted } from './refuse-unencrypted.js';
import { tracedActivities, tracingSinks } from './tracing.js';
import type { Versioning } from './versioning.js';

export interface HandoverWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  bundle: WorkflowBundlePath;
  /** Activity functions by the names that workflows use. */
  activities: object;
  /** The same converter as the clients', because its codec encrypts payloads. */
  dataConverter?: DataConverter;
  /** The version that the worker runs as; absent: none. */
  versioning?: Versioning;
  /** Milliseconds that activities in progress may still run after a shutdown begins. */
  shutdownGraceMs?: number;
  /** Absent: its activities and workflows are not traced. */
  tracing?: Tracing | undefined;
  /** Set only by tests, to force replays. */
  maxCachedWorkflows?: number;
}

const defaultGraceMs = 15_000;
const forceAfterMs = 5_000;

/** Longest time in milliseconds until a worker has stopped. */
export const stopsWithinMs = defaultGraceMs + forceAfterMs;

/** A worker that runs only activities and limits how many start per second, over all workers of its queue. */
export async function createPacedWorker({
  perSecond,
  dataConverter,
  ...options
}: Omit<HandoverWorkerOptions, 'bundle' | 'maxCachedWorkflows'> & { perSecond: number }): Promise<Worker> {
  return Worker.create({
    ...commonOptions(options),
    ...(dataConverter !== undefined && { dataConverter }),
    maxConcurrentActivityTaskExecutions: 8,
    maxTaskQueueActivitiesPerSecond: perSecond,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 4 },
  });
}

/**
 * A worker with limits for two cores. Its tasks mostly wait for the network, so their limits are far above the number
 * of cores.
 */
export async function createWorker(options: HandoverWorkerOptions): Promise<Worker> {
  const { bundle, dataConverter } = options;
  return Worker.create({
    ...commonOptions(options),
    workflowBundle: bundle,
    ...(dataConverter !== undefined && { dataConverter: refuseUnencrypted(dataConverter) }),
    maxCachedWorkflows: options.maxCachedWorkflows ?? 1_000, // about 60 MB of heap
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 40,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 20 },
    // when a worker is killed, its reservations wait this long until another worker runs them
    stickyQueueScheduleToStartTimeout: '5s',
  });
}

/** Options of both kinds of workers. */
function commonOptions({
  connection,
  namespace,
  taskQueue,
  activities,
  versioning = {},
  tracing,
  shutdownGraceMs: graceMs = defaultGraceMs,
}: Omit<HandoverWorkerOptions, 'bundle' | 'maxCachedWorkflows' | 'dataConverter'>) {
  return {
    connection,
    namespace,
    taskQueue,
    activities,
    ...versioning,
    sinks: tracingSinks(tracing),
    ...(tracing !== undefined && { interceptors: { activity: [tracedActivities(tracing)] } }),
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + forceAfterMs,
  };
}
