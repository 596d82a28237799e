import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

/** How late this process's event loop is: what an acknowledgement waits before anybody looks at it. */
export interface LoopGauge {
  /** The 90th percentile since the last reading, in milliseconds. */
  lagMs(): number;
  stop(): void;
}

export function measureEventLoop(): LoopGauge {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return {
    lagMs: () => {
      const measured = histogram.percentile(90) / 1e6;
      histogram.reset();
      return Number.isFinite(measured) ? Math.max(0, measured - resolutionMs) : 0;
    },
    stop: () => histogram.disable(),
  };
}

/**
 * How much may be under way at once: half as much while the loop is late, one more each time it is not. So the
 * relay yields to the receiver, whose answer must not wait.
 */
export class YieldingLimit {
  private limit: number;
  constructor(
    private readonly most: number,
    private readonly lagMs: () => number,
    private readonly tolerableMs = 30,
  ) {
    this.limit = most;
  }

  next(): number {
    this.limit =
      this.lagMs() > this.tolerableMs
        ? Math.max(1, Math.floor(this.limit / 2))
        : Math.min(this.most, this.limit + 1);
    return this.limit;
  }
}
