import { workflowBundle } from './engine.js';
import { createWorker, type WorkerOptions } from './whole-worker.js';

type Options = Omit<WorkerOptions, 'bundle' | 'shutdownGraceMs'>;

/** A worker of the run's bundle that stops within a second. */
export function createTestWorker(options: Options): ReturnType<typeof createWorker> {
  return createWorker({ ...options, bundle: workflowBundle(), shutdownGraceMs: 1_000 });
}

/** Starts such a worker. @returns what stops it */
export async function startTestWorker(options: Options): Promise<() => Promise<void>> {
  const worker = await createTestWorker(options);
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}
