import { expect, it } from 'vitest';
import { checkPublishable, withRelease } from '../../bench/publish.js';
import type { Figures } from '../../bench/round.js';
import { footer } from '../../bench/table.js';

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
  ['writes were sent again', { sentAgain: 2 }, 'refused, 2 writes had no answer in time and were sent again'],
  ['the load is not known', { others: null }, 'the load by other programs is not known'],
])('they are refused where %s, in a round or in the lifecycles played alone', (_, change, reason) => {
  const busy = both({ ...quiet, ...change });
  expect(() => checkPublishable({ rounds: [both(quiet), busy], alone: both(quiet) })).toThrow(reason);
  expect(() => checkPublishable({ rounds: [both(quiet)], alone: busy })).toThrow(reason);
});

it('the number of writes that were sent again stands below the table', () => {
  const text = footer({
    rounds: [both({ ...quiet, sentAgain: 2 }), both(quiet)],
    alone: both({ ...quiet, sentAgain: 1 }),
    residentMb: { product: 446, floor: 100 },
  });
  expect(text).toBe(
    'product: an action alone 10 ms (p50), memory of the program 446 MB, 3 writes had no answer in time and were sent again\n' +
      'floor: an action alone 10 ms (p50), memory of the program 100 MB',
  );
});

const report = {
  median: both({ ...quiet, lifecyclesPerSecond: 1 }),
  alone: both(quiet),
  residentMb: { product: 446, floor: 100 },
  histories: { product: { eventsPerLifecycle: 133, ofWhichBooking: 13, kilobytes: 90, byType: {} } },
};
const ownRow = '| 0.4.0 (a878aca9) | 0.5 | 1 | 200 | 120 + 13 | 1 | 1 | 446 |';
const pageWith = (...rows: string[]) =>
  [
    '| release | lifecycles/s, to the floor |',
    '| --- | --- |',
    ...rows,
    '',
    '| 0.4.0 | of another table |',
  ].join('\n');
const publishIn = (text: string) => withRelease(text, { version: '0.4.0', commit: 'a878aca9' }, report);

it('the row of a release is the first of its table', () => {
  expect(publishIn(pageWith('| 0.3.0 (40 lifecycles of warm-up) | 0.52 |'))).toBe(
    pageWith(ownRow, '| 0.3.0 (40 lifecycles of warm-up) | 0.52 |'),
  );
  expect(publishIn(pageWith())).toBe(pageWith(ownRow));
});

it.each(['| 0.4.0 | 0.6 |', '| 0.4.0 (3edbe7a) | 0.6 |'])('it replaces %s, and no other row', (known) => {
  const [newer, older] = ['| 0.4.01 (91fdde34) | 0.7 |', '| 0.3.0 (d047375) | 0.52 |'];
  expect(publishIn(pageWith(newer, known, older))).toBe(pageWith(newer, ownRow, older));
});

it('a page without the table of releases is reported', () => {
  expect(() => publishIn('# Performance')).toThrow('docs/performance.md has no table of releases');
});
