/** During an overload one send begins in each such period. */
const leastEveryMs = 250;
/** How late the event loop may be. */
const tolerableMs = 30;

export interface YieldingLimitOptions {
  /** The limit without load. */
  most: number;
  /** How late the event loop is (see `measureEventLoop`). */
  lagMs: () => number;
  /** Callbacks arrive faster than the machine applies them. */
  isOverloaded: () => boolean;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Limits the sends that are under way at once: halved while the event loop is late, one more each time it is not. In an
 * overload one send begins every quarter of a second, even if earlier ones have not ended: the relay yields to the receiver,
 * whose answers must not wait, and still continues.
 */
export class YieldingLimit {
  private limit: number;
  private lastInOverload = -leastEveryMs;
  constructor(private readonly options: YieldingLimitOptions) {
    this.limit = options.most;
  }

  /** How many more may begin beside `underWay`. */
  more(underWay: number): number {
    const { isOverloaded, most, now = () => performance.now() } = this.options;
    if (!isOverloaded()) return Math.max(0, this.next() - underWay);
    if (underWay >= most || now() - this.lastInOverload < leastEveryMs) return 0;
    this.lastInOverload = now();
    return 1;
  }

  private next(): number {
    const { most, lagMs } = this.options;
    this.limit =
      lagMs() > tolerableMs ? Math.max(1, Math.floor(this.limit / 2)) : Math.min(most, this.limit + 1);
    return this.limit;
  }
}
