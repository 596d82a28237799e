import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './errors.js';

/** A server restarts within a second or two. */
const retryWindowMs = 3_500;
const againAfterMs = 100;

/**
 * Repeats work while the database is away, for 3.5 s of each outage: a restart delays it and fails nothing. Later in an
 * outage work fails at once. Run only what may run twice.
 * @returns runs one piece of work. @throws what the work threw last
 */
export function throughShortOutages(): <R>(work: () => Promise<R>) => Promise<R> {
  let awaySince: number | undefined;
  return async (work) => {
    for (;;) {
      const begun = performance.now();
      try {
        const result = await work();
        awaySince = undefined;
        return result;
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        awaySince ??= begun;
        if (performance.now() - awaySince > retryWindowMs) throw error;
      }
      await sleep(againAfterMs);
    }
  };
}

/**
 * Passes as long as `probe` does and for 3.5 s of failures after that: what comes meanwhile is stored when the database is
 * back.
 */
export function despiteShortOutages(probe: () => Promise<unknown>): () => Promise<void> {
  let hasPassed = false;
  let failingSince: number | undefined;
  return async () => {
    const begun = performance.now();
    try {
      await probe();
      hasPassed = true;
      failingSince = undefined;
    } catch (error) {
      failingSince ??= begun;
      if (!hasPassed || performance.now() - failingSince > retryWindowMs) throw error;
    }
  };
}
