import { percentile, rounded } from '../statistics.js';

export interface Figures {
  perSecond: number;
  p50: number | null;
  p99: number | null;
}

/** Runs `work` `count` times, with limited concurrency, and measures each. */
export async function load(count: number, atOnce: number, work: () => Promise<void>): Promise<Figures> {
  const durations: number[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await work();
      durations.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, client));
  const seconds = (performance.now() - began) / 1000;
  const at = (share: number) => {
    const value = percentile(durations, share);
    return value === null ? null : rounded(value, 1);
  };
  return { perSecond: rounded(count / seconds, 1), p50: at(0.5), p99: at(0.99) };
}
