import { backoffMs } from '../../../domain/shared/backoff.js';

/** A thread that has listened for this long was sound. */
const soundMs = 60_000;
/** Before a thread that ended is started again; twice as long after each that was not sound. */
const pause = { firstMs: 1_000, longestMs: 30_000 };
/** After this many in a row that were not sound a restart of the process may help. */
const mostInARow = 5;

/** Decides how threads that end by themselves are started again. */
export class Restarts {
  private listensSince: number | undefined;
  private inARow = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get isListening(): boolean {
    return this.listensSince !== undefined;
  }

  listens(): void {
    this.listensSince = this.now();
  }

  /** @param silentMs how long it had not reported. @returns milliseconds until the next one may be started */
  ended(silentMs: number): number {
    this.inARow = this.wasSound(silentMs) ? 1 : this.inARow + 1;
    this.listensSince = undefined;
    return backoffMs(this.inARow, pause);
  }

  /** They end again and again. */
  get areInVain(): boolean {
    return this.inARow >= mostInARow && !this.wasSound(0);
  }

  private wasSound(silentMs: number): boolean {
    return this.listensSince !== undefined && this.now() - silentMs - this.listensSince > soundMs;
  }
}
