import { setImmediate as nextTurn } from 'node:timers/promises';

const idleMs = 2_000;

/** Time limit between the calls of a transaction: the others wait for it, and its thread may be busy, or stopped. */
export class IdleLimit {
  private timer: NodeJS.Timeout | undefined;
  private calls = 0;

  constructor(private readonly isOver: () => void) {
    this.begin();
  }

  /** No limit while this call runs. */
  async during<R>(call: () => Promise<R>): Promise<R> {
    this.calls += 1;
    clearTimeout(this.timer);
    try {
      return await call();
    } finally {
      this.begin();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.calls = Number.NaN;
  }

  private begin(): void {
    const { calls } = this;
    if (Number.isNaN(calls)) return;
    this.timer = setTimeout(async () => {
      // after a stop of the process its next call may wait behind this timer
      await nextTurn();
      if (this.calls === calls) this.isOver();
    }, idleMs).unref();
  }
}
