import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './errors.js';

/** Of an outage and of one piece of work. A server restarts within a second or two. */
const retryWindowMs = 3_500;
const againAfterMs = 100;
/** An attempt that took longer had a database that is silent: it is not waited for any longer. */
const refusedWithinMs = 1_500;

/**
 * Work that waits while its database is away for a moment, as in a restart, in place of failing: for 3.5 s since one of it
 * was refused first. From then on all fails at once, until one succeeds.
 */
export class ShortOutages {
  private awaySince: number | undefined;

  /**
   * Repeats the work while the database refuses it. It may run twice, also where it was done.
   * @throws what the work threw last
   */
  async through<R>(work: () => Promise<R>): Promise<R> {
    const first = performance.now();
    for (;;) {
      const begun = performance.now();
      try {
        return this.answered(await work());
      } catch (error) {
        this.assertShort(error, begun);
        const now = performance.now();
        if (now - begun > refusedWithinMs || now - first > retryWindowMs) throw error;
      }
      await sleep(againAfterMs);
    }
  }

  /** Resolves where the probe does, and where work would wait. @throws what the probe threw */
  async probe(probe: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    try {
      this.answered(await probe());
    } catch (error) {
      this.assertShort(error, begun);
    }
  }

  private answered<R>(answer: R): R {
    this.awaySince = undefined;
    return answer;
  }

  /** @throws the error, where it is the database's answer, or the outage is long */
  private assertShort(error: unknown, begun: number): void {
    if (!isDatabaseAway(error)) {
      this.awaySince = undefined;
      throw error;
    }
    this.awaySince ??= begun;
    if (performance.now() - this.awaySince > retryWindowMs) throw error;
  }
}
