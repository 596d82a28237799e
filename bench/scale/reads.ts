import { percentile, rounded } from '../statistics.js';
import { access } from '../target.js';

export interface ReadTimes {
  p50: number;
  p95: number;
}

/** Milliseconds of each of `count` reads, one after another. @throws where one is not answered 200 */
export async function timeReads(apiUrl: string, path: string, count: number): Promise<ReadTimes> {
  const durations: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    const answer = await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bearer ${access.token}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
    durations.push(performance.now() - began);
  }
  const at = (share: number) => rounded(percentile(durations, share) ?? 0, 1);
  return { p50: at(0.5), p95: at(0.95) };
}
