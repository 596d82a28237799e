import { rounded } from '../statistics.js';
import { totalCpuMs } from './cost.js';
import type { SizeReport } from './report.js';

/** Costs per lifecycle are flat where they differ by a fifth at most. */
const tolerance = 0.2;

export function isFlat(ratio: number): boolean {
  return ratio <= 1 + tolerance && ratio >= 1 - tolerance;
}

/** Costs per lifecycle with each further number of open reservations, divided by those with the first. */
export function ratiosToFirst(sizes: readonly SizeReport[]): { open: number; cpu: number; events: number }[] {
  const [first, ...others] = sizes;
  if (first === undefined) return [];
  return others.map(({ open, lifecycle }) => ({
    open,
    cpu: rounded(totalCpuMs(lifecycle) / totalCpuMs(first.lifecycle), 2),
    events: rounded(lifecycle.events / first.lifecycle.events, 2),
  }));
}
