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
 * A worker with every limit set for two cores; the machine's waiting is mostly for the network, so tasks may be many
 * while the CPU is not.
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
    // after a killed worker its reservations wait this long before another worker takes them
    stickyQueueScheduleToStartTimeout: '5s',
  });
}

/** What both kinds of workers have. */
function commonOptions({
  connection,
  namespace,
  taskQueue,
  activities,
  shutdownGraceMs: graceMs = defaultGraceMs,
}: Omit<HandoverWorkerOptions, 'bundle' | 'maxCachedWorkflows' | 'dataConverter'>) {
  return {
    connection,
    namespace,
    taskQueue,
    activities,
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + forceAfterMs,
  };
}
