import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

/** How late this process's event loop is: how long an acknowledgement waits before it is handled. */
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
