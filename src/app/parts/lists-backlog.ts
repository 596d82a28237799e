import { hasUnjudged } from '../../store/callbacks/backlog.js';
import type { HandoverDb } from '../../store/handover.js';

/** From so many callbacks without a verdict on, workers have more to do than lists that are in line already. */
const busyFrom = 1_000;
const againAfterMs = 5_000;
/** After this time with many callbacks lists are checked all the same: a row may be missing. */
const longestWaitMs = 30 * 60_000;

/**
 * The callbacks without a verdict, before which no lists are checked: queries would replay histories before those callbacks, and the SDK
 * may lose a task that meets a query of the same reservation.
 */
export class ListsBacklog {
  private read = Promise.resolve(false);
  private readAt = Number.NEGATIVE_INFINITY;
  private largeSince: number | null = null;

  constructor(private readonly db: HandoverDb) {}

  /** Whether many wait, read every five seconds at most. */
  async isLarge(): Promise<boolean> {
    const now = performance.now();
    if (now - this.readAt >= againAfterMs) {
      this.readAt = now;
      this.read = hasUnjudged(this.db, busyFrom);
    }
    const isLarge = await this.read;
    this.largeSince = isLarge ? (this.largeSince ?? now) : null;
    return isLarge;
  }

  /** Whether many wait, and not for too long yet. */
  async goesFirst(): Promise<boolean> {
    return (await this.isLarge()) && performance.now() - (this.largeSince ?? 0) < longestWaitMs;
  }
}
