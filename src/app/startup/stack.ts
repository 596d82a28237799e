import { deferred } from '../../domain/shared/deferred.js';
import type { Logger } from '../log.js';

/** Parts stop in reverse order by default; `first` stops before all others. */
type StopTurn = 'in turn' | 'first';

/** `drains`: gives load balancers time to notice before any part stops. */
export interface StopHow {
  drains: boolean;
}

interface Part {
  name: string;
  turn: StopTurn;
  /** Absent while it is still starting. */
  stop?: (how: StopHow) => Promise<void>;
}

/**
 * The started parts, to be stopped in the opposite order, each once, also where others fail. Parts may start
 * concurrently: their order is that of the calls of `start`. A stop waits for a part that is still starting, so that
 * none is left running.
 */
export class Stack {
  private readonly parts: Part[] = [];
  private readonly starting = new Set<Promise<unknown>>();
  private stopping: Promise<void> | undefined;
  private readonly failure = deferred<never>();
  /** Rejects when a part has failed by itself, so that everything has to stop. */
  readonly failed = this.failure.promise;

  constructor(private readonly logger: Logger) {}

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /** Starts one part, and remembers how it stops. */
  async start<T>(
    name: string,
    start: () => Promise<T>,
    stop: (part: T, how: StopHow) => Promise<void>,
    turn: StopTurn = 'in turn',
  ): Promise<T> {
    this.throwIfStopping(name);
    const part: Part = { name, turn };
    this.parts.push(part);
    const started = start().then((running) => {
      part.stop = (how) => stop(running, how);
      return running;
    });
    this.starting.add(started);
    return started.finally(() => this.starting.delete(started));
  }

  /** @throws Error once a stop has begun: `next` must not start any more */
  throwIfStopping(next: string): void {
    if (this.isStopping) throw new Error(`not started, because everything stops: ${next}`);
  }

  /** For a part that may fail by itself: its failure ends the run, also while other parts still start. */
  endWith(part: Promise<unknown>): void {
    part.catch(this.failure.reject);
  }

  /**
   * Stops all parts, last started first. A part that fails to stop is logged, and the others still stop. A further call waits for
   * the same stop, whatever its `how`.
   */
  stop(how: StopHow = { drains: false }): Promise<void> {
    this.stopping ??= this.stopParts(how);
    return this.stopping;
  }

  private async stopParts(how: StopHow): Promise<void> {
    await Promise.allSettled(this.starting);
    const parts = this.parts.splice(0).reverse();
    const isFirst = ({ turn }: Part) => turn === 'first';
    for (const { name, stop } of [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))]) {
      await stop?.(how).then(
        () => this.logger.info({ part: name }, 'stopped'),
        (err: unknown) => this.logger.error({ part: name, err }, 'part did not stop cleanly'),
      );
    }
  }
}
