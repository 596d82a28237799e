import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilStopped } from '../../src/app/startup/until-stopped.js';

vi.mock('node:v8', async (original) => ({ ...(await original<object>()), setFlagsFromString: vi.fn() }));
let interrupt: (signal: NodeJS.Signals) => void;
vi.mock('../../src/app/startup/signals.js', () => ({
  untilInterrupted: () =>
    new Promise<NodeJS.Signals>((resolve) => {
      interrupt = resolve;
    }),
}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(setFlagsFromString).mockClear();
});
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});
const run = (start: () => Promise<void>) => untilStopped({ log: pino({ level: 'silent' }) }, start);
const bounds = () => vi.mocked(setFlagsFromString).mock.calls;

it('the heap is bounded once a start is through, and not before: modules load faster without the flag', async () => {
  const running = run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20_000));
  });
  await vi.advanceTimersByTimeAsync(19_999);
  expect(bounds()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(bounds()).toEqual([['--heap-growing-percent=30']]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(bounds()).toHaveLength(1);
  interrupt('SIGINT');
  await running;
});

it('the heap is bounded 30 s after a start began that waits for hours', async () => {
  const running = run(() => never);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(bounds()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(bounds()).toEqual([['--heap-growing-percent=30']]);
  interrupt('SIGINT');
  await running;
});

it('the heap is left as it is after a start that was stopped', async () => {
  const running = run(() => never);
  interrupt('SIGINT');
  await running;
  expect(vi.getTimerCount()).toBe(0);
});
