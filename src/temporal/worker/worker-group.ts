import type { Worker } from '@temporalio/worker';

/** Workers of one process that run, stop and fail together. */
export class WorkerGroup {
  /** @param workers the first runs workflows */
  constructor(private readonly workers: readonly [Worker, ...Worker[]]) {}

  /** Resolves once all have ended. @throws what ended one of them */
  async run(): Promise<void> {
    const runs = this.workers.map((worker) => worker.run());
    await Promise.race(runs).catch(() => {});
    this.shutdown();
    await Promise.allSettled(runs);
    await Promise.all(runs);
  }

  /** Runs them while `use` runs. */
  async runUntil<T>(use: Promise<T> | (() => Promise<T>)): Promise<T> {
    const running = this.run();
    const ended = running.then(() => Promise.reject(new Error('the workers ended by themselves')));
    try {
      return await Promise.race([typeof use === 'function' ? use() : use, ended]);
    } finally {
      this.shutdown();
      await running;
    }
  }

  shutdown(): void {
    for (const worker of this.workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }

  /** Every one polls for its tasks. */
  get isPolling(): boolean {
    return this.workers.every((worker) => {
      const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
      return runState === 'RUNNING' && workflowPollerState !== 'FAILED' && activityPollerState !== 'FAILED';
    });
  }
}
