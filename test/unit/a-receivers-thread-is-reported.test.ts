import { Counter, Gauge, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ThreadReports } from '../../src/app/parts/receiver/reports.js';

const rates = { perSecond1m: 2, perSecond5m: 2 };

async function report(events: number) {
  const registry = new Registry();
  new Counter({ name: 'events_total', help: 'x', registers: [registry] }).inc(events);
  new Gauge({ name: 'lag_seconds', help: 'x', registers: [registry] }).set(events);
  const figures = {
    since: 1,
    accepted: rates,
    refused: rates,
    overloaded: rates,
    acknowledgedMs: { p50: 1, p99: 2 },
  };
  return { figures, metrics: await registry.getMetricsAsJSON() };
}

const valuesOf = (reports: ThreadReports, name: string) =>
  reports.metrics.flatMap((list) =>
    list.filter((metric) => metric.name === name).flatMap(({ values }) => values.map(({ value }) => value)),
  );

it('figures are those of the last five seconds: a thread that does not report receives nothing', async () => {
  let now = 0;
  const reports = new ThreadReports(() => now);
  expect(reports.isCurrent).toBe(false);
  reports.record(await report(3));
  expect(reports.figures(7)).toMatchObject({ since: 1, accepted: rates, acknowledgedMs: { p50: 1, p99: 2 } });
  now = 5_001;
  const none = { perSecond1m: 0, perSecond5m: 0 };
  expect(reports.isCurrent).toBe(false);
  expect(reports.figures(7)).toMatchObject({ since: 1, accepted: none, refused: none, acknowledgedMs: null });
  reports.record(await report(4));
  expect(reports.isCurrent).toBe(true);
  await reports.end();
  expect(reports.isCurrent).toBe(false);
  expect(reports.figures(7)).toMatchObject({ since: 7, accepted: none });
});

it('counters of threads that ended stay, so that none falls; gauges are of the thread that runs', async () => {
  const reports = new ThreadReports();
  for (const events of [3, 4]) {
    reports.record(await report(events));
    await reports.end();
  }
  expect(valuesOf(reports, 'events_total')).toEqual([7]);
  reports.record(await report(5));
  expect(valuesOf(reports, 'events_total')).toEqual([7, 5]);
  expect(valuesOf(reports, 'lag_seconds')).toEqual([5]);
});
