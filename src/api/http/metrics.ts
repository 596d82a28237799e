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
  /** What threads of this process have counted, a list for each. */
  ofThreads?: () => readonly (readonly MetricData[])[];
}

/** The text for Prometheus. What threads counted under the name of a metric of this process is added to it. */
export async function readMetrics({ registry, ofThreads }: Metrics): Promise<string> {
  if (ofThreads === undefined) return registry.metrics();
  const lists = ofThreads();
  const names = new Set(lists.flat().map(({ name }) => name));
  const ofProcess = await registry.getMetricsAsJSON();
  // a metric that only the process has stays as it is
  const own = ofProcess.map((metric) =>
    names.has(metric.name) ? metric : { ...metric, aggregator: 'first' },
  );
  return AggregatorRegistry.aggregate([own, ...lists]).metrics();
}
