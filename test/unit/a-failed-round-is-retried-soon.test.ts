import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Rounds } from '../../src/inbox/rounds.js';
import { NotConnectedError } from '../../src/temporal/connection/unavailable.js';

const minute = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Rounds of half an hour, which are counted. */
function counting(own: { fails?: Error | undefined; mayRun?: () => boolean } = {}) {
  const seen = { rounds: 0, codes: [] as unknown[] };
  const rounds = new Rounds({
    name: 'the test',
    everyMs: 30 * minute,
    log: { error: ({ code }: { code: unknown }) => void seen.codes.push(code) } as never,
    ...(own.mayRun !== undefined && { mayRun: own.mayRun }),
    round: async () => {
      seen.rounds += 1;
      if (own.fails !== undefined) throw own.fails;
    },
  });
  rounds.start();
  return { seen, rounds };
}

it('a round that succeeds is followed by the next at its interval', async () => {
  const { seen, rounds } = counting();
  await vi.advanceTimersByTimeAsync(29 * minute);
  expect(seen.rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(minute);
  expect(seen.rounds).toBe(2);
  await rounds.stop();
});

it('a round that fails is retried after half a minute, and logged once with its code', async () => {
  const plan = { fails: new NotConnectedError() as Error | undefined };
  const { seen, rounds } = counting(plan);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(seen).toEqual({ rounds: 5, codes: ['NOT_CONNECTED'] });
  plan.fails = undefined;
  await vi.advanceTimersByTimeAsync(20 * minute);
  expect(seen.rounds).toBe(6);
  await rounds.stop();
});

it('a round that loses its right is repeated after half a minute: it was cut short', async () => {
  const rights = [true, false, true, true];
  const { seen, rounds } = counting({ mayRun: () => rights.shift() ?? true });
  await vi.advanceTimersByTimeAsync(minute);
  expect(seen.rounds).toBe(2);
  await rounds.stop();
});

it('a round that may not begin is tried again after half a minute', async () => {
  let may = false;
  const { seen, rounds } = counting({ mayRun: () => may });
  await vi.advanceTimersByTimeAsync(minute);
  expect(seen.rounds).toBe(0);
  may = true;
  await vi.advanceTimersByTimeAsync(minute / 2);
  expect(seen.rounds).toBe(1);
  await rounds.stop();
});
