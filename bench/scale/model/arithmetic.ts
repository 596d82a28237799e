import { type Cost, scalars } from '../cost.js';
import { each } from '../processes.js';

/** The sum of costs, each so many times; nothing is below zero. */
export function sumOf(parts: readonly (readonly [times: number, cost: Cost])[]): Cost {
  const add = (read: (cost: Cost) => number) =>
    Math.max(
      parts.reduce((sum, [times, cost]) => sum + times * read(cost), 0),
      0,
    );
  const sums = Object.fromEntries(scalars.map((name) => [name, add((cost) => cost[name])]));
  const cpuMs = each((name) => add((cost) => cost.cpuMs[name]));
  return { ...sums, cpuMs } as Cost;
}
