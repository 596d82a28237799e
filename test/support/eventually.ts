import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks until `look` gives something other than undefined or false; fails with `what` after `timeoutMs`. A look that costs
 * the machine something is taken more rarely than every 5 ms.
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 10_000,
  everyMs = 5,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await sleep(everyMs);
  }
}
