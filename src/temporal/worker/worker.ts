import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import { bookingQueueOf, databaseQueueOf } from '../../contract/names.js';
import type { Tracing } from '../../contract/tracing.js';
import { cachedWorkflows } from './cache-size.js';
import { type DirectRows, offerSink, rowSinks } from './direct-rows.js';
import { refuseUnencrypted } from './refuse-unencrypted.js';
import { slots } from './slots.js';
import { tracedActivities, tracingSinks } from './tracing.js';
import type { Versioning } from './versioning.js';
import { WorkerGroup } from './worker-group.js';

/** Options of every worker. */
export interface ActivityOptions {
  connection: NativeConnection;
  namespace: string;
  /** Of workflows; other queues are derived from it. */
  taskQueue: string;
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
}

export interface WorkflowOptions extends ActivityOptions {
  bundle: WorkflowBundlePath;
  /** Absent only where no reservation runs. */
  directRows?: DirectRows | undefined;
  /** Calls of the platform at once in this process, where they differ from `slots`. */
  slots?: number;
  /** Most calls of the platform that start in a second, over all workers; absent: no limit, and calls start with their workflow task. */
  perSecond?: number | undefined;
  /** Set by tests and by a rehearsal. */
  maxCachedWorkflows?: number;
}

export interface ActivityWorkersOptions extends ActivityOptions {
  /** Activities at once in this process, where they differ from `slots`. */
  slots?: Partial<Record<'bookings' | 'database', number>>;
  /** Most bookings that start in a second, over all workers; absent: no limit. */
  bookingsPerSecond?: number | undefined;
}

const defaultGraceMs = 15_000;
const forceAfterMs = 5_000;

/** Longest time in milliseconds until a worker has stopped. */
export const stopsWithinMs = defaultGraceMs + forceAfterMs;

/** A worker of long readings of the platform, which start at a limited rate, over all workers of its queue. */
export async function createScanWorker(
  options: ActivityOptions & { perSecond: number; slots?: number },
): Promise<WorkerGroup> {
  return new WorkerGroup([await createActivityWorker({ slots: slots.scans, ...options })]);
}

/**
 * A worker of workflows and of calls of the platform. The limits of all workers are for two cores. Tasks mostly wait for the
 * network, so their limits are far above the number of cores.
 */
export async function createWorkflowWorker(options: WorkflowOptions): Promise<Worker> {
  const { bundle, dataConverter, slots: atOnce = slots.platform, perSecond } = options;
  const { activities, directRows, tracing } = options;
  const common = commonOptions(options);
  let worker: Worker | undefined;
  const isOver = () => worker !== undefined && ['STOPPED', 'FAILED'].includes(worker.getState());
  worker = await Worker.create({
    ...common,
    ...(directRows?.isOffered && {
      activities: { ...activities, record: offerSink(directRows.store) },
    }),
    // registered also where it is not offered: a run that passes rows directly is continued by any worker
    sinks: { ...common.sinks, ...(directRows && rowSinks(directRows, tracing, isOver)) },
    workflowBundle: bundle,
    ...(dataConverter !== undefined && { dataConverter: refuseUnencrypted(dataConverter) }),
    maxCachedWorkflows: options.maxCachedWorkflows ?? cachedWorkflows(),
    maxConcurrentWorkflowTaskExecutions: 40,
    // calls of the platform wait here, because only activities of this queue start with their workflow task (eager start)
    maxConcurrentActivityTaskExecutions: atOnce,
    ...(perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: perSecond }),
    maxConcurrentLocalActivityExecutions: 40,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 20 },
    // when a worker is killed, its reservations wait this long until another worker runs them
    stickyQueueScheduleToStartTimeout: '5s',
  });
  return worker;
}

/** Workers of bookings and of our own database work, each with a queue and slots of its own. */
export async function createActivityWorkers({
  slots: given,
  bookingsPerSecond,
  ...options
}: ActivityWorkersOptions): Promise<[Worker, Worker]> {
  const { taskQueue } = options;
  const limits = { ...slots, ...given };
  return Promise.all([
    createActivityWorker({
      ...options,
      taskQueue: bookingQueueOf(taskQueue),
      slots: limits.bookings,
      perSecond: bookingsPerSecond,
    }),
    createActivityWorker({ ...options, taskQueue: databaseQueueOf(taskQueue), slots: limits.database }),
  ]);
}

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
