import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/**
 * What `/metrics` shows. Parts add their own counters and gauges to `registry`
 * (`new Gauge({ …, registers: [metrics.registry] })`). Ids and personal data are never labels (L60): every label
 * value comes from a closed list.
 */
export interface Metrics {
  registry: Registry;
  /** Seconds from request to answer, by route pattern. */
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
}

/** The metrics of one process, those of Node included. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'handover_http_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return { registry, requestSeconds };
}
