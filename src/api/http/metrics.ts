import type { Histogram, Registry } from 'prom-client';

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
