import { Counter, Gauge, type Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { readMetrics } from '../../src/api/http/metrics.js';
import { createHttpMetrics, createMetrics } from '../../src/app/metrics/process.js';

it('a metric of both is one sum for each label, and those of one alone stay', async () => {
  const metrics = createMetrics();
  const thread = new Registry();
  const ofThread = createHttpMetrics(thread);
  const labels = { method: 'POST', route: '/events/status', status: '204' };
  metrics.requestSeconds.observe(labels, 0.02);
  ofThread.observe(labels, 0.02);
  ofThread.observe({ ...labels, status: '401' }, 0.002);
  new Counter({ name: 'only_thread_total', help: 'x', registers: [thread] }).inc(3);
  new Gauge({ name: 'only_process', help: 'x', registers: [metrics.registry], aggregator: 'omit' }).set(7);
  const theirs = await thread.getMetricsAsJSON();
  const text = await readMetrics({ ...metrics, ofThreads: () => [structuredClone(theirs)] });
  const lines = text.split('\n');
  const count = 'handover_http_request_seconds_count{method="POST",route="/events/status",status=';
  expect(lines).toEqual(
    expect.arrayContaining([`${count}"204"} 2`, `${count}"401"} 1`, 'only_thread_total 3', 'only_process 7']),
  );
  expect(lines).toContain(
    'handover_http_request_seconds_bucket{le="0.025",method="POST",route="/events/status",status="204"} 2',
  );
  const alone = await metrics.registry.metrics();
  const names = (of: string) => [...of.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names(text)).toEqual(expect.arrayContaining(names(alone)));
  expect(text.match(/^# TYPE handover_http_request_seconds /gm)).toHaveLength(1);
});

it('a process without such a thread shows its registry', async () => {
  const registry = new Registry();
  const requestSeconds: Histogram<'method' | 'route' | 'status'> = createHttpMetrics(registry);
  expect(await readMetrics({ registry, requestSeconds })).toBe(await registry.metrics());
});
