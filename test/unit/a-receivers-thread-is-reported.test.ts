import { expect, it } from 'vitest';
import { ThreadReports } from '../../src/app/parts/receiver/reports.js';

const report = (since: number) => ({
  figures: {
    since,
    accepted: { perSecond1m: 0, perSecond5m: 0 },
    refused: { perSecond1m: 0, perSecond5m: 0 },
    overloaded: { perSecond1m: 0, perSecond5m: 0 },
    acknowledgedMs: null,
  },
  metrics: [],
});

it('a receiver that has not reported for half a minute is not alive, and is again once it reports', () => {
  let now = 0;
  const reports = new ThreadReports(report(1), () => now);
  now = 30_000;
  expect(() => reports.assertRecent()).not.toThrow();
  now = 30_001;
  expect(() => reports.assertRecent()).toThrow('the callback receiver does not report');
  reports.record(report(2));
  expect(() => reports.assertRecent()).not.toThrow();
  expect(reports.last.figures.since).toBe(2);
});
