import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

beforeEach(() => {
  vi.useFakeTimers();
  stubPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  [10, 40],
  [100, 25],
  [400, 6.25],
  // of a service that hardly answers
  [1_000, 5],
])(
  'a reading that takes %i ms is repeated %d times in 10 s at most, however often it is wanted',
  async (tookMs, most) => {
    const [{ Resource }] = await loadModules('console/state/resource.ts');
    const load = vi.fn(() => new Promise((resolve) => setTimeout(() => resolve({}), tookMs)));
    const resource = new Resource(load);
    const want = setInterval(() => void resource.refresh(), 20);
    await vi.advanceTimersByTimeAsync(10_000);
    clearInterval(want);
    expect(load.mock.calls.length).toBeGreaterThan(most / 1.5 - 2);
    expect(load.mock.calls.length).toBeLessThanOrEqual(most + 1);
  },
);

it('pages that get the same changes do not continue to read together', async () => {
  const [{ Resource }] = await loadModules('console/state/resource.ts');
  const readAt: [number[], number[]] = [[], []];
  const pages = readAt.map((times) => new Resource(async () => times.push(Date.now())));
  const want = setInterval(() => pages.map((page) => page.refresh()), 20);
  await vi.advanceTimersByTimeAsync(10_000);
  clearInterval(want);
  const [first, second] = readAt;
  expect(first[0]).toBe(second[0]);
  const together = first.filter((at) => second.includes(at));
  expect(together.length).toBeLessThan(first.length / 2);
});

it('is read every 30 s while the page is visible, also where no change arrives, and every 10 s without the stream', async () => {
  const [{ Resource }, { connection }] = await loadModules(
    'console/state/resource.ts',
    'console/live/changes.ts',
  );
  const load = vi.fn(async () => ({}));
  connection.value = 'live';
  const stop = new Resource(load).follow({ concerns: () => false, visibleEveryMs: 30_000 });
  const readsWithin = async (ms: number) => {
    load.mockClear();
    await vi.advanceTimersByTimeAsync(ms);
    return load.mock.calls.length;
  };
  expect(await readsWithin(0)).toBe(1);
  expect(await readsWithin(90_000)).toBe(3);
  connection.value = 'offline';
  expect(await readsWithin(90_000)).toBe(9);
  connection.value = 'live';
  const { document } = globalThis as never as { document: object };
  Object.assign(document, { visibilityState: 'hidden' });
  expect(await readsWithin(90_000)).toBe(0);
  Object.assign(document, { visibilityState: 'visible' });
  stop();
  expect(await readsWithin(90_000)).toBe(0);
});

it('what could not be read is read again every 10 s until it is there, also where changes arrive', async () => {
  const [{ Resource }, { connection }, { ApiError }] = await loadModules(
    'console/state/resource.ts',
    'console/live/changes.ts',
    'console/api/client.ts',
  );
  connection.value = 'live';
  let isDown = true;
  const load = vi.fn(async () => {
    if (isDown) throw new ApiError(503, null);
    return {};
  });
  const resource = new Resource(load);
  const stop = resource.follow({ concerns: () => false });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(load).toHaveBeenCalledTimes(3);
  expect(resource.state.value.is).toBe('error');
  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(4);
  expect(resource.state.value).toMatchObject({ is: 'ready', stale: null });
  stop();
});
