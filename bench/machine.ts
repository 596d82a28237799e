import { availableParallelism, loadavg } from 'node:os';

/** The first line of a bench: what its figures depend on besides the code. */
export function machineLine(): string {
  const load = loadavg().map((average) => average.toFixed(1));
  return `${availableParallelism()} cores, Node ${process.version}, load before: ${load.join(', ')}`;
}

/** The same for a report. */
export function machine(): { cores: number; node: string; platform: string } {
  return { cores: availableParallelism(), node: process.version, platform: process.platform };
}
