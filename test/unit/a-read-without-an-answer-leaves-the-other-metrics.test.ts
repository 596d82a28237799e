import { Counter, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readAtScrape } from '../../src/app/metrics/read-at-scrape.js';
import { showWorkers } from '../../src/app/metrics/workers.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What Prometheus reads once the time of every read is over. */
async function scrape(registry: Registry): Promise<string> {
  const text = registry.metrics();
  await vi.advanceTimersByTimeAsync(2_000);
  return text;
}
const never = () => new Promise<never>(() => {});
const hasValue = (text: string, name: string) => new RegExp(`^${name}[ {]`, 'm').test(text);

it('a gauge whose read gives no answer has no value, and everything else is shown', async () => {
  const registry = new Registry();
  new Counter({ name: 'counted_total', help: 'x', registers: [registry] }).inc(3);
  readAtScrape(registry, never)('locked', 'x', (value) => value);
  readAtScrape(registry, async () => 7)('read', 'x', (value) => value);
  const text = await scrape(registry);
  expect(text).toContain('counted_total 3');
  expect(text).toContain('read 7');
  expect(hasValue(text, 'locked')).toBe(false);
});

it('while a read is under way no other begins; once it has answered the gauge has values again', async () => {
  const registry = new Registry();
  const answers: ((value: number) => void)[] = [];
  const read = () => new Promise<number>((resolve) => void answers.push(resolve));
  readAtScrape(registry, read)('waiting', 'x', (value) => value);
  await scrape(registry);
  await scrape(registry);
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  await vi.advanceTimersByTimeAsync(1_000);
  const text = registry.metrics();
  await vi.advanceTimersByTimeAsync(0);
  answers[1]?.(2);
  expect(await text).toContain('waiting 2');
});

it.each([
  ['gives no answer', never],
  ['fails', () => Promise.reject(new Error('refused'))],
])('a gauge that was read before keeps its value for a minute while its read %s', async (_, later) => {
  const registry = new Registry();
  const answers = [Promise.resolve(5)];
  readAtScrape(registry, () => answers.shift() ?? later())('waiting', 'x', (value) => value);
  expect(await scrape(registry)).toContain('waiting 5');
  expect(await scrape(registry)).toContain('waiting 5');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hasValue(await scrape(registry), 'waiting')).toBe(false);
});

it('a part of a worker whose probe gives no answer is not ready, and the others are shown as they are', async () => {
  const registry = new Registry();
  showWorkers(registry, { readiness: () => ({ temporal: never, relay: async () => {} }) as never });
  const text = await scrape(registry);
  expect(text).toContain('handover_worker_ready{part="temporal"} 0');
  expect(text).toContain('handover_worker_ready{part="relay"} 1');
});
