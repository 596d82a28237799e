import { patched } from '@temporalio/workflow';
import type { TimelineEntry } from '../../src/domain/reservation/index.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { jitter } from '../shared/backoff.js';
import { operations } from '../shared/proxies.js';

/** After requests that were not accepted. */
const rests: Readonly<Backoff> = { firstMs: 10_000, longestMs: 5 * 60_000 };

/**
 * Lines that raise or clear attention items, on their way to operations: in order, one request at a time. They leave
 * once they are recorded, and by a command of the history: a step that Temporal did not record has posted nothing.
 */
export class AttentionPosts {
  /** A request is on its way. */
  isOut = false;
  private restUntil = 0;
  /** Requests in a row that failed. */
  private failures = 0;
  /** Asked once a run, at its first failed request: one that began under 0.2.0 tries again every ten seconds. */
  private mayBackOff: boolean | undefined;

  /** @param onEnd called when a request has ended, with the time to send again where it was not accepted (instant) */
  constructor(
    private readonly reservationId: number,
    private waiting: TimelineEntry[],
    private readonly onEnd: (sendAt: number | null) => void,
  ) {}

  /** What is not taken yet, unless it is on its way. */
  get rest(): TimelineEntry[] {
    return this.waiting;
  }

  add(entries: TimelineEntry[]): void {
    this.waiting.push(...entries.filter(({ attention }) => attention !== undefined));
    this.send();
  }

  /** Does nothing while a request is out, for its end is looked at, and for a while after one that was not taken. */
  send(): void {
    if (this.isOut || this.waiting.length === 0 || Date.now() < this.restUntil) return;
    this.isOut = true;
    const entries = this.waiting.splice(0);
    const posts = { reservationId: this.reservationId, entries };
    operations.postAttention.executeWithOptions({ summary: 'notify operations' }, [posts]).then(
      () => {
        this.failures = 0;
        this.ended(null);
      },
      () => {
        this.waiting.unshift(...entries);
        this.failures += 1;
        this.restUntil = Date.now() + this.restMs();
        this.ended(this.restUntil);
      },
    );
  }

  private restMs(): number {
    this.mayBackOff ??= patched('posts-back-off');
    return this.mayBackOff ? backoffMs(this.failures, rests, jitter()) : rests.firstMs;
  }

  private ended(sendAt: number | null): void {
    this.isOut = false;
    this.onEnd(sendAt);
  }
}
