import type { NativeConnection } from '@temporalio/worker';
import type { WorkerGroup } from './worker-group.js';

/** Workers by name. */
export type Workers = Readonly<Record<string, Pick<WorkerGroup, 'run' | 'shutdown' | 'isPolling'>>>;

/** Workers that begin and end together, on a connection of their own. */
export class WorkerGeneration {
  readonly beganAt = Date.now();
  private readonly runs: readonly Promise<void>[];

  /** Begins to run them. */
  constructor(
    private readonly connection: Pick<NativeConnection, 'close'>,
    private readonly workers: Workers,
  ) {
    this.runs = Object.values(workers).map((worker) => worker.run());
    for (const run of this.runs) run.catch(() => {}); // `firstEnd` and `end` report it
  }

  /** Whether each worker polls for tasks. */
  polling(): Record<string, boolean> {
    return Object.fromEntries(Object.entries(this.workers).map(([name, worker]) => [name, worker.isPolling]));
  }

  /** Resolves once one of them has ended. @throws what ended it */
  firstEnd(): Promise<void> {
    return Promise.race(this.runs);
  }

  shutDown(): void {
    for (const worker of Object.values(this.workers)) worker.shutdown();
  }

  /** Shuts them down. @returns whether each finished its tasks; the memory of one that did not is lost until the process ends */
  async end(): Promise<boolean> {
    this.shutDown();
    const ends = await Promise.allSettled(this.runs);
    await this.connection.close().catch(() => {}); // fails where the SDK keeps a worker of it
    return ends.every(({ status }) => status === 'fulfilled');
  }
}
