import {
  AggregatorRegistry,
  type Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** One metric with its values, as data. */
export type MetricData = MetricObjectWithValues<MetricValue<string>>;

/**
 * What `/metrics` shows. Parts add their own counters and gauges to `registry`
 * (`new Gauge({ …, registers: [metrics.registry] })`). Ids and personal data are never labels (L60): every label
 * value comes from a closed list.
 */
export interface Metrics {
  registry: Registry;
  /** Seconds from request to answer, by route pattern. */
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** What a thread of this process has counted, at its last report. */
  alsoOf?: () => readonly MetricData[];
}

/** The text for Prometheus. What a thread counted under the name of a metric of this process is added to it. */
export async function readMetrics({ registry, alsoOf }: Metrics): Promise<string> {
  if (alsoOf === undefined) return registry.metrics();
  const theirs = alsoOf();
  const names = new Set(theirs.map(({ name }) => name));
  const ours = await registry.getMetricsAsJSON();
  // a metric that only this process has stays as it is
  const own = ours.map((metric) => (names.has(metric.name) ? metric : { ...metric, aggregator: 'first' }));
  return AggregatorRegistry.aggregate([own, theirs]).metrics();
}
