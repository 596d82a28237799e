import { expect, it } from 'vitest';
import { checkPublishable } from '../../bench/publish.js';
import type { Figures } from '../../bench/round.js';

const latency = { p50: 10, p99: 20, samples: 8 };
const quiet: Figures = {
  lifecyclesPerSecond: 2,
  acknowledgement: latency,
  action: latency,
  sentAgain: 0,
  cpu: { program: 100, engine: 100, sandbox: 50, client: 50 },
  cpuPerLifecycle: 200,
  others: 0.1,
};
const both = (product: Figures) => ({ product, floor: quiet });

it('figures of a quiet machine are published', () => {
  expect(() => checkPublishable({ rounds: [both(quiet)], alone: both(quiet) })).not.toThrow();
});

it.each([
  ['other programs took more than a tenth', { others: 0.11 }, 'other programs load the machine'],
  ['a write was sent again', { sentAgain: 1 }, 'other programs load the machine'],
  ['the load is not known', { others: null }, 'the load by other programs is not known'],
])('they are refused where %s, in a round or in the lifecycles played alone', (_, change, reason) => {
  const busy = both({ ...quiet, ...change });
  expect(() => checkPublishable({ rounds: [both(quiet), busy], alone: both(quiet) })).toThrow(reason);
  expect(() => checkPublishable({ rounds: [both(quiet)], alone: busy })).toThrow(reason);
});
