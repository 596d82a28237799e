import { setTimeout as sleep } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../domain/shared/backoff.js';
import { deferred } from '../connection/deferred.js';
import { orStopped } from '../connection/or-stopped.js';
import type { WorkerGroup } from './worker-group.js';

type Workers = Readonly<Record<string, Pick<WorkerGroup, 'run' | 'shutdown' | 'isPolling'>>>;

export interface SupervisedWorkersOptions {
  /** Resolves once Temporal is connected. */
  connected(): Promise<void>;
  connect(): Promise<NativeConnection>;
  /** @returns workers by name, not yet running */
  create(connection: NativeConnection): Promise<Workers>;
  log: Logger;
  /** Pause after workers ended by themselves: doubled each time, up to `longestMs`. */
  retry?: Backoff;
}

/** After this time the workers count as healthy, so that a later failure begins with the shortest pause. */
const soundAfterMs = 60_000;

/**
 * Runs workers from the first connection to Temporal until `stop`. They continue through an outage, because the SDK
 * retries. An error that the SDK does not retry (a deleted namespace, a refused key) ends all workers; they start again
 * on a new connection.
 */
export class SupervisedWorkers {
  private workers: Workers = {};
  private failures = 0;
  private readonly stopping = new AbortController();
  private readonly begun = deferred();
  private loop: Promise<void> | null = null;

  constructor(private readonly options: SupervisedWorkersOptions) {}

  start(): void {
    this.loop ??= this.run();
  }

  /** Resolves when the workers run for the first time. @throws Error when `stop` is called before that */
  running(): Promise<void> {
    return this.begun.promise;
  }

  /** Whether each worker polls for tasks; empty before the first start. */
  polling(): Record<string, boolean> {
    return Object.fromEntries(Object.entries(this.workers).map(([name, worker]) => [name, worker.isPolling]));
  }

  /** Resolves when the tasks in progress are finished, or the time for shutdown is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.begun.reject(new Error('stopped before the workers ran'));
    shutDown(this.workers);
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const began = Date.now();
      try {
        await orStopped(this.options.connected(), signal);
        if (!signal.aborted) await this.runOnce(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (Date.now() - began > soundAfterMs) this.failures = 0;
        this.recordFailure(error);
        await sleep(this.pauseMs(), undefined, { signal }).catch(() => {});
      }
    }
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    const opening = this.options.connect();
    const connection = await orStopped(opening, signal);
    if (connection === undefined) return void opening.then((late) => late.close()).catch(() => {});
    let runs: Promise<void>[] = [];
    try {
      this.workers = await this.options.create(connection);
      runs = Object.values(this.workers).map((worker) => worker.run());
      this.begun.resolve();
      if (signal.aborted) shutDown(this.workers);
      await Promise.race(runs);
      if (!signal.aborted) throw new Error('a worker ended by itself');
    } finally {
      shutDown(this.workers);
      await Promise.allSettled(runs);
      await connection.close().catch(() => {}); // fails where a worker was created on it and never ran
    }
  }

  private recordFailure(error: unknown): void {
    this.failures += 1;
    this.options.log.error({ err: error }, 'the workers stopped; they are restarted');
  }

  private pauseMs(): number {
    return backoffMs(this.failures, this.options.retry ?? { firstMs: 1_000, longestMs: 30_000 });
  }
}

function shutDown(workers: Workers): void {
  for (const worker of Object.values(workers)) worker.shutdown();
}
