import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { bookingQueueOf, databaseQueueOf } from '../../contract/names.js';
import type { Tracing } from '../../contract/tracing.js';
import { refuseUnencrypted } from './refuse-unencrypted.js';
import { slots } from './slots.js';
import { tracedActivities, tracingSinks } from './tracing.js';
import type { Versioning } from './versioning.js';
import { WorkerGroup } from './worker-group.js';

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
  /** Activities at once in this process, where they differ from `slots`. */
  slots?: Partial<Record<keyof typeof slots, number>>;
  /** Most activities that start in a second, over all workers; absent: no limit, and calls start with their workflow task. */
  perSecond?: { platform: number; bookings: number };
  /** Set only by tests, to force replays. */
  maxCachedWorkflows?: number;
}

const defaultGraceMs = 15_000;
const forceAfterMs = 5_000;

/** Longest time in milliseconds until a worker has stopped. */
export const stopsWithinMs = defaultGraceMs + forceAfterMs;

/** A worker that runs only activities and limits how many start per second, over all workers of its queue. */
export async function createPacedWorker(
  options: ActivityOptions & { perSecond: number; slots?: number },
): Promise<WorkerGroup> {
  return new WorkerGroup([await createActivityWorker({ slots: slots.scans, ...options })]);
}

/**
 * The workers of workflows and of the activities that these await: calls of the platform, bookings and our own database work,
 * each with a queue and slots of its own. The limits are for two cores. Tasks mostly wait for the network, so their limits are far
 * above the number of cores.
 */
export async function createWorker(options: HandoverWorkerOptions): Promise<WorkerGroup> {
  const { bundle, dataConverter, taskQueue } = options;
  const limits = { ...slots, ...options.slots };
  const { platform, bookings } = options.perSecond ?? {};
  const worker = await Worker.create({
    ...commonOptions(options),
    workflowBundle: bundle,
    ...(dataConverter !== undefined && { dataConverter: refuseUnencrypted(dataConverter) }),
    maxCachedWorkflows: options.maxCachedWorkflows ?? 1_000, // about 60 MB of heap
    maxConcurrentWorkflowTaskExecutions: 40,
    // calls of the platform wait here, because only activities of this queue start with their workflow task (eager start)
    maxConcurrentActivityTaskExecutions: limits.platform,
    ...(platform !== undefined && { maxTaskQueueActivitiesPerSecond: platform }),
    maxConcurrentLocalActivityExecutions: 40,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 20 },
    // when a worker is killed, its reservations wait this long until another worker runs them
    stickyQueueScheduleToStartTimeout: '5s',
  });
  if (Object.keys(options.activities).length === 0) return new WorkerGroup([worker]);
  const { slots: _, perSecond: __, ...shared } = options;
  const beside = await Promise.all([
    createActivityWorker({
      ...shared,
      taskQueue: bookingQueueOf(taskQueue),
      slots: limits.bookings,
      perSecond: bookings,
    }),
    createActivityWorker({ ...shared, taskQueue: databaseQueueOf(taskQueue), slots: limits.database }),
  ]);
  return new WorkerGroup([worker, ...beside]);
}

type ActivityOptions = Omit<HandoverWorkerOptions, 'bundle' | 'maxCachedWorkflows' | 'slots' | 'perSecond'>;

function createActivityWorker({
  slots: atOnce,
  perSecond,
  dataConverter,
  ...options
}: ActivityOptions & { slots: number; perSecond?: number | undefined }): Promise<Worker> {
  return Worker.create({
    ...commonOptions(options),
    ...(dataConverter !== undefined && { dataConverter }),
    maxConcurrentActivityTaskExecutions: atOnce,
    ...(perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: perSecond }),
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 4 },
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
}: Omit<ActivityOptions, 'dataConverter'>) {
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
