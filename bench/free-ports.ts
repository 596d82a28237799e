import { freePort } from '../src/temporal/server/ports.js';

/** Different free ports, chosen together: two separate choices could return the same port. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
