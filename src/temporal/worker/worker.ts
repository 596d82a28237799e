import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { refuseUnencrypted } from './refuse-unencrypted.js';

export interface HandoverWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  bundle: WorkflowBundlePath;
  /** Functions by the names that workflows call. */
  activities: object;
  /** Must be the clients' own: the codec encrypts payloads. */
  dataConverter?: DataConverter;
  /** How long activities under way may finish once a shutdown begins, in milliseconds. */
  shutdownGraceMs?: number;
  /** Fewer only to force replays in a test. */
  maxCachedWorkflows?: number;
}

const defaultGraceMs = 15_000;
const forceAfterMs = 5_000;

/** The longest that a worker takes to stop, in milliseconds. */
export const stopsWithinMs = defaultGraceMs + forceAfterMs;

/** Activities alone, begun at a bounded rate over all workers of the queue. */
export async function createPacedWorker({
  perSecond,
  ...options
}: Omit<HandoverWorkerOptions, 'bundle' | 'maxCachedWorkflows'> & { perSecond: number }): Promise<Worker> {
  const { connection, namespace, taskQueue, activities, dataConverter } = options;
  const graceMs = options.shutdownGraceMs ?? defaultGraceMs;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    ...(dataConverter !== undefined && { dataConverter }),
    maxConcurrentActivityTaskExecutions: 8,
    maxTaskQueueActivitiesPerSecond: perSecond,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 4 },
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + forceAfterMs,
  });
}

/**
 * A worker with every limit set for two cores; the machine's waiting is mostly for the network, so tasks may be many
 * while the CPU is not.
 */
export async function createWorker(options: HandoverWorkerOptions): Promise<Worker> {
  const { connection, namespace, taskQueue, bundle, activities, dataConverter } = options;
  const graceMs = options.shutdownGraceMs ?? defaultGraceMs;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    workflowBundle: bundle,
    ...(dataConverter !== undefined && { dataConverter: refuseUnencrypted(dataConverter) }),
    maxCachedWorkflows: options.maxCachedWorkflows ?? 1_000, // about 110 MB of heap
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 40,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 20 },
    // after a killed worker its reservations wait this long before another worker takes them
    stickyQueueScheduleToStartTimeout: '5s',
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + forceAfterMs,
  });
}
