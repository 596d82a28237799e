import { setImmediate as nextTurn } from 'node:timers/promises';

const idleMs = 2_000;

/** Time limit between the calls of a transaction: the others wait for it, and its thread may be busy, or stopped. */
export class IdleLimit {
  private timer: NodeJS.Timeout | undefined;
  private running = 0;
  /** Of calls so far. */
  private calls = 0;
  private isStopped = false;

  /** @param end ends the transaction; false: it has no limit now */
  constructor(private readonly end: () => boolean) {
    this.begin();
  }

  /** No limit while this call runs. */
  async during<R>(call: () => Promise<R>): Promise<R> {
    this.calls += 1;
    this.running += 1;
    clearTimeout(this.timer);
    try {
      return await call();
    } finally {
      this.running -= 1;
      this.begin();
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private begin(): void {
    if (this.isStopped || this.running > 0) return;
    const { calls } = this;
    this.timer = setTimeout(async () => {
      // after a stop of the process its next call may wait behind this timer
      await nextTurn();
      if (this.calls === calls && !this.isStopped && !this.end()) this.begin();
    }, idleMs).unref();
  }
}
