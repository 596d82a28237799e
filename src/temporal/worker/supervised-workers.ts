import { setTimeout as sleep } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../domain/shared/backoff.js';
import { deferred } from '../../domain/shared/deferred.js';
import { orStopped } from '../connection/or-stopped.js';
import { stopsWithinMs } from './worker.js';
import { WorkerGeneration, type Workers } from './worker-generation.js';

export interface SupervisedWorkersOptions {
  /** Resolves once Temporal is connected. */
  connected(): Promise<void>;
  connect(): Promise<NativeConnection>;
  /** @returns workers by name, not yet running */
  create(connection: NativeConnection): Promise<Workers>;
  log: Logger;
  /** Pause after workers ended by themselves: doubled each time, up to `longestMs`. */
  retry?: Backoff;
  /** Shortest time from a start of workers to their replacement: doubled each time, up to `longestMs`. */
  replacement?: Backoff;
}

/** Why workers are replaced. `lossy`: they have lost tasks, and others still run. `stalled`: none runs. */
export type ReplacementReason = 'lossy' | 'stalled';

/** After this time the workers count as healthy, so that a later failure begins with the shortest pause. */
const soundAfterMs = 60_000;
/** The same for replacements. */
const steadyAfterMs = 30 * 60_000;

/**
 * Runs workers from the first connection to Temporal until `stop`. They continue through an outage, because the SDK
 * retries. An error that the SDK does not retry (a deleted namespace, a refused key) ends all workers; they start again
 * on a new connection. Workers that have lost tasks are replaced: once the new ones run, the old ones end.
 */
export class SupervisedWorkers {
  private current: WorkerGeneration | undefined;
  private requests = newRequests();
  /** Ends of workers that were replaced. */
  private readonly ends = new Set<Promise<void>>();
  private failures = 0;
  /** Replacements in a row. */
  private replacements = 0;
  private unfinished = 0;
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
    return this.current?.polling() ?? {};
  }

  /** How many replaced workers never finished their tasks. Each keeps its memory until the process ends. */
  get abandoned(): number {
    return this.unfinished;
  }

  /**
   * New workers take the place of those that run: stalled ones at once, lossy ones no earlier than `replacement` allows, because
   * new ones have none of the reservations in memory.
   */
  replace(reason: ReplacementReason): void {
    this.requests[reason].resolve();
  }

  /** Resolves when the tasks in progress are finished, or the time for shutdown is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.begun.reject(new Error('stopped before the workers ran'));
    this.current?.shutDown();
    await this.loop;
    const ended = new AbortController();
    const late = sleep(stopsWithinMs, undefined, { signal: ended.signal }).catch(() => {});
    await Promise.race([Promise.all(this.ends), late]);
    ended.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const began = Date.now();
      try {
        await orStopped(this.options.connected(), signal);
        if (!signal.aborted) await this.runUntilEnd(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (Date.now() - began > soundAfterMs) this.failures = 0;
        this.failures += 1;
        this.options.log.error({ err: error }, 'the workers stopped; they are restarted');
        await sleep(this.retryMs(), undefined, { signal }).catch(() => {});
      }
    }
  }

  private async runUntilEnd(signal: AbortSignal): Promise<void> {
    const first = await this.begin(signal);
    if (first === undefined) return;
    this.take(first);
    this.begun.resolve();
    try {
      for (let current = first; await this.isToReplace(current, signal); ) {
        current = await this.replaced(current, signal);
      }
    } finally {
      await this.current?.end();
    }
    if (!signal.aborted) throw new Error('a worker ended by itself');
  }

  /** @returns undefined where it was stopped meanwhile */
  private async begin(signal: AbortSignal): Promise<WorkerGeneration | undefined> {
    const opening = this.options.connect();
    const connection = await orStopped(opening, signal);
    if (connection === undefined) {
      void opening.then((late) => late.close()).catch(() => {});
      return undefined;
    }
    try {
      return new WorkerGeneration(connection, await this.options.create(connection));
    } catch (error) {
      await connection.close().catch(() => {}); // fails where one of several workers was created on it
      throw error;
    }
  }

  /** @returns false: they have ended @throws what ended one of them */
  private async isToReplace(generation: WorkerGeneration, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const ended = generation.firstEnd().then(() => false);
    const { lossy, stalled } = this.requests;
    const due = new AbortController();
    const earliest = generation.beganAt + this.gapMs() - Date.now();
    const waited = sleep(Math.max(earliest, 0), undefined, { signal: due.signal }).catch(() => {});
    const requested = Promise.race([stalled.promise, Promise.all([lossy.promise, waited])]);
    return Promise.race([ended, requested.then(() => true)]).finally(() => due.abort());
  }

  /** @returns the new workers; the old ones where none could begin, after a pause @throws what ended one of the old ones */
  private async replaced(old: WorkerGeneration, signal: AbortSignal): Promise<WorkerGeneration> {
    this.options.log.error('the Temporal SDK has lost workflow tasks; its workers are replaced');
    try {
      const next = await this.begin(signal);
      if (next === undefined) return old;
      if (Date.now() - old.beganAt > steadyAfterMs) this.replacements = 0;
      this.replacements += 1;
      this.take(next);
      this.letEnd(old);
      return next;
    } catch (error) {
      this.options.log.error({ err: error }, 'no new workers began; the present ones run on');
      const pause = sleep(this.gapMs(), undefined, { signal }).catch(() => {});
      await Promise.race([pause, old.firstEnd()]);
      return old;
    }
  }

  private take(generation: WorkerGeneration): void {
    this.current = generation;
    // A later request may concern the old workers, which still end: one replacement too many is better than a reservation
    // that stays blocked.
    this.requests = newRequests();
  }

  private letEnd(old: WorkerGeneration): void {
    const end = old.end().then((isFinished) => {
      if (!isFinished) this.unfinished += 1;
      this.ends.delete(end);
    });
    this.ends.add(end);
  }

  private retryMs(): number {
    return backoffMs(this.failures, this.options.retry ?? { firstMs: 1_000, longestMs: 30_000 });
  }

  private gapMs(): number {
    const { replacement = { firstMs: 60_000, longestMs: 600_000 } } = this.options;
    return backoffMs(this.replacements, replacement);
  }
}

function newRequests() {
  return { lossy: deferred(), stalled: deferred() };
}
