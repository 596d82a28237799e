import { expect, it } from 'vitest';
import { FigureBook } from '../../src/inbox/receive/figures.js';

const none = { perSecond1m: 0, perSecond5m: 0 };

it('a receiver without callbacks reports no figures', async () => {
  const book = new FigureBook(() => 1_000);
  expect(await book.read()).toEqual({
    since: 1_000,
    accepted: none,
    refused: none,
    overloaded: none,
    acknowledgedMs: null,
  });
});

it('a receiver counts callbacks by outcome, over one minute and five', async () => {
  let now = 0;
  const book = new FigureBook(() => now);
  for (let second = 0; second < 600; second++) {
    now = second * 1_000;
    book.countAnswer({ channel: 'update', outcome: 'stored', status: 204, seconds: 0.002 });
    if (second >= 570)
      book.countAnswer({ channel: 'update', outcome: 'SIGNATURE_MISMATCH', status: 401, seconds: 0.001 });
    if (second === 400)
      for (let i = 0; i < 30; i++)
        book.countAnswer({ channel: 'none', outcome: 'INTAKE_OVERLOADED', status: 503, seconds: 0 });
    if (second === 500)
      book.countAnswer({ channel: 'update', outcome: 'STORE_UNAVAILABLE', status: 503, seconds: 4 });
  }
  const { accepted, refused, overloaded } = await book.read();
  expect(accepted).toEqual({ perSecond1m: 1, perSecond5m: 1 });
  expect(refused).toEqual({ perSecond1m: 0.5, perSecond5m: 0.1 });
  expect(overloaded).toEqual({ perSecond1m: 0, perSecond5m: 0.1 });
});

it('a receiver that is younger than the period divides by its age', async () => {
  let now = 0;
  const book = new FigureBook(() => now);
  for (let i = 0; i < 20; i++)
    book.countAnswer({ channel: 'update', outcome: 'stored', status: 204, seconds: 0.001 });
  now = 10_000;
  expect((await book.read()).accepted).toEqual({ perSecond1m: 2, perSecond5m: 2 });
});

it('a receiver reports the percentiles of acknowledgements only', async () => {
  const book = new FigureBook(() => 1_000);
  for (let i = 1; i <= 100; i++)
    book.countAnswer({ channel: 'update', outcome: 'stored', status: 204, seconds: i / 1000 });
  for (let i = 0; i < 100; i++)
    book.countAnswer({ channel: 'update', outcome: 'SIGNATURE_MISSING', status: 401, seconds: 9 });
  const { acknowledgedMs } = await book.read();
  expect(acknowledgedMs?.p50).toBeGreaterThan(45);
  expect(acknowledgedMs?.p50).toBeLessThan(55);
  expect(acknowledgedMs?.p99).toBeGreaterThan(95);
  expect(acknowledgedMs?.p99).toBeLessThanOrEqual(100);
});
