import { rounded } from '../statistics.js';
import { totalMs } from './cost.js';
import type { SizeReport } from './report.js';

/** Costs per lifecycle are flat where they differ by a fifth at most. */
const tolerance = 0.2;

export function isFlat(ratio: number): boolean {
  return ratio <= 1 + tolerance && ratio >= 1 - tolerance;
}

export interface Ratios {
  open: number;
  /** With nothing taken off: by this it is judged. */
  wholeCpu: number;
  /** Without what the processes use while nothing happens: too low where they do less of that while they work. */
  cpu: number;
  events: number;
}

/** Costs per lifecycle with each further number of open reservations, divided by those with the first. */
export function ratiosToFirst(sizes: readonly SizeReport[]): Ratios[] {
  const [first, ...others] = sizes;
  if (first === undefined) return [];
  return others.map(({ open, lifecycle }) => ({
    open,
    wholeCpu: rounded(totalMs(lifecycle.wholeCpuMs) / totalMs(first.lifecycle.wholeCpuMs), 2),
    cpu: rounded(totalMs(lifecycle.cpuMs) / totalMs(first.lifecycle.cpuMs), 2),
    events: rounded(lifecycle.events / first.lifecycle.events, 2),
  }));
}
