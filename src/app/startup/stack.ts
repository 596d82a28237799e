import type { Logger } from '../log.js';

/** Parts stop in reverse order by default; `first` stops before all others. */
type StopTurn = 'in turn' | 'first';

/** `drains`: others have time to notice before anything ends. */
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
 * What has been started, to be stopped in the opposite order, each part once, whatever the others do. Parts may start
 * side by side: their place is where their start was asked for, and one that is still starting when all is stopped is
 * waited for, so that nothing is left behind.
 */
export class Stack {
  private readonly parts: Part[] = [];
  private readonly starting = new Set<Promise<unknown>>();
  private stopping = false;

  constructor(private readonly logger: Logger) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Starts one part, and remembers how it stops. */
  async start<T>(
    name: string,
    start: () => Promise<T>,
    stop: (part: T, how: StopHow) => Promise<void>,
    turn: StopTurn = 'in turn',
  ): Promise<T> {
    if (this.stopping) throw new Error(`${name} is not started: everything stops`);
    const part: Part = { name, turn };
    this.parts.push(part);
    const started = start().then((running) => {
      part.stop = (how) => stop(running, how);
      return running;
    });
    this.starting.add(started);
    return started.finally(() => this.starting.delete(started));
  }

  /** Stops all parts, last started first. A part that fails to stop is logged and does not keep the others up. */
  async stop(how: StopHow = { drains: false }): Promise<void> {
    this.stopping = true;
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
