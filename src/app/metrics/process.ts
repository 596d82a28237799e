import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../api/http/metrics.js';
import { version } from '../installation.js';
import type { WorkerHealth } from '../parts/worker-health.js';
import type { Setting } from '../startup/setting.js';
import { showWorkers } from './workers.js';

/** What a process shows at `/metrics`: its own figures, and what its parts count. @param health of its worker, if it has one */
export function processMetrics(
  { lostLogLines, measures }: Pick<Setting, 'lostLogLines' | 'measures'>,
  health?: WorkerHealth,
): Metrics {
  const metrics = createMetrics();
  showLostLogLines(metrics.registry, lostLogLines);
  measures.showOn(metrics.registry);
  if (health !== undefined) showWorkers(metrics.registry, health);
  return metrics;
}

/** The metrics of one process, those of Node included. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = createHttpMetrics(registry);
  new Gauge({
    name: 'handover_build_info',
    help: 'Always 1; the label is the release',
    labelNames: ['version'] as const,
    registers: [registry],
  }).set({ version }, 1);
  return { registry, requestSeconds };
}

/** Of the requests that a server of this process or thread answers. */
export function createHttpMetrics(registry: Registry): Metrics['requestSeconds'] {
  return new Histogram({
    name: 'handover_http_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
}

/** Adds the number of lines that the log of this process could not write. */
function showLostLogLines(registry: Registry, read: () => number = () => 0): void {
  new Counter({
    name: 'handover_log_lines_lost_total',
    help: 'Lines that the log could not write, such as to a full disk',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
