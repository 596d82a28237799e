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
