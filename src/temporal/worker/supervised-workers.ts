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
  /** Shortest time in milliseconds from a start of workers to their replacement. */
  replacedAfterMs?: number;
}

/** After this time the workers count as healthy, so that a later failure begins with the shortest pause. */
const soundAfterMs = 60_000;
/** Workers are replaced no earlier: new ones have none of the reservations in memory. */
const replacedAfterMs = 60_000;

/**
 * Runs workers from the first connection to Temporal until `stop`. They continue through an outage, because the SDK
 * retries. An error that the SDK does not retry (a deleted namespace, a refused key) ends all workers; they start again
 * on a new connection. Workers that have lost tasks are replaced: the new ones begin while the old ones end.
 */
export class SupervisedWorkers {
  private workers: Workers = {};
  private lossy = deferred();
  /** Ends of workers that were replaced. */
  private readonly ends = new Set<Promise<void>>();
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

  /** New workers take the place of those that run: at once, or when these have run for a minute. */
  replace(): void {
    this.lossy.resolve();
  }

  /** Resolves when the tasks in progress are finished, or the time for shutdown is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.begun.reject(new Error('stopped before the workers ran'));
    shutDown(this.workers);
    await this.loop;
    await Promise.all(this.ends);
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
    let isReplaced = false;
    this.lossy = deferred();
    try {
      this.workers = await this.options.create(connection);
      runs = Object.values(this.workers).map((worker) => worker.run());
      this.begun.resolve();
      if (signal.aborted) shutDown(this.workers);
      isReplaced = await Promise.race([...runs.map((run) => run.then(() => false)), this.lost()]);
      if (isReplaced)
        this.options.log.error('the Temporal SDK has lost workflow tasks; its workers are replaced');
      else if (!signal.aborted) throw new Error('a worker ended by itself');
    } finally {
      shutDown(this.workers);
      const end = Promise.allSettled(runs)
        .then(() => connection.close())
        .catch(() => {}); // fails where a worker was created on it and never ran, or has lost tasks
      if (isReplaced) this.letEnd(end);
      else await end;
    }
  }

  private async lost(): Promise<true> {
    const earliest = sleep(this.options.replacedAfterMs ?? replacedAfterMs, undefined, { ref: false });
    await this.lossy.promise;
    await earliest;
    return true;
  }

  private letEnd(end: Promise<void>): void {
    this.ends.add(end);
    void end.finally(() => this.ends.delete(end));
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
