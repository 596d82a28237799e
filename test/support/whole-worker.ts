import { Client } from '@temporalio/client';
import type { Activities } from '../../src/contract/activities.js';
import {
  createActivityWorkers,
  createWorkflowWorker,
  type WorkflowOptions,
} from '../../src/temporal/worker/worker.js';
import { WorkerGroup } from '../../src/temporal/worker/worker-group.js';

/** Bookings have the same limit per second as other calls of the platform. */
export type WorkerOptions = Omit<WorkflowOptions, 'slots'> & {
  /** False: runs that pass no rows directly yet write them by local activities. */
  offersSink?: boolean;
};

/** The workers of workflows and of the activities that these await, as one. */
export async function createWorker({ offersSink = true, ...options }: WorkerOptions): Promise<WorkerGroup> {
  const { connection, namespace, dataConverter } = options;
  const { record: store } = options.activities as Partial<Activities>;
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) });
  const directRows = store && { store, client, isOffered: offersSink };
  const workflows = await createWorkflowWorker({ directRows, ...options });
  if (Object.keys(options.activities).length === 0) return new WorkerGroup([workflows]);
  const { bundle: _, maxCachedWorkflows: __, perSecond: bookingsPerSecond, ...shared } = options;
  return new WorkerGroup([workflows, ...(await createActivityWorkers({ ...shared, bookingsPerSecond }))]);
}
