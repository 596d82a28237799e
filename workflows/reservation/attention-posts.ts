import { patched } from '@temporalio/workflow';
import type { TimelineEntry } from '../../src/domain/reservation/index.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { jitter } from '../shared/backoff.js';
import { operations } from '../shared/proxies.js';

/** The wait after a request that failed. */
const rests: Readonly<Backoff> = { firstMs: 10_000, longestMs: 5 * 60_000 };

/**
 * Sends timeline entries that raise or clear attention items to operations: in order, one request at a time. An entry is
 * sent after it was recorded, and by an activity: a workflow task that Temporal did not record has posted nothing.
 */
export class AttentionPosts {
  /** A request is on its way. */
  isOut = false;
  private restUntil = 0;
  /** Requests in a row that failed. */
  private failures = 0;
  /** Decided once a run, at its first failed request: a run that began under 0.2.0 retries every ten seconds. */
  private mayBackOff: boolean | undefined;

  /** @param onEnd called when a request has ended, with the time to send again where it was not accepted (instant) */
  constructor(
    private readonly reservationId: number,
    private waiting: TimelineEntry[],
    private readonly onEnd: (sendAt: number | null) => void,
  ) {}

  /** Entries that no request carries yet. */
  get rest(): TimelineEntry[] {
    return this.waiting;
  }

  add(entries: TimelineEntry[]): void {
    this.waiting.push(...entries.filter(({ attention }) => attention !== undefined));
    this.send();
  }

  /** Does nothing while a request is out (`onEnd` follows), nor until the wait after a failed one is over. */
  send(): void {
    if (this.isOut || this.waiting.length === 0 || Date.now() < this.restUntil) return;
    this.isOut = true;
    const entries = this.waiting.splice(0);
    const posts = { reservationId: this.reservationId, entries };
    operations.postAttention.executeWithOptions({ summary: 'notify operations' }, [posts]).then(
      () => {
        this.failures = 0;
        this.endRequest(null);
      },
      () => {
        this.waiting.unshift(...entries);
        this.failures += 1;
        this.restUntil = Date.now() + this.restMs();
        this.endRequest(this.restUntil);
      },
    );
  }

  private restMs(): number {
    this.mayBackOff ??= patched('posts-back-off');
    return this.mayBackOff ? backoffMs(this.failures, rests, jitter()) : rests.firstMs;
  }

  private endRequest(sendAt: number | null): void {
    this.isOut = false;
    this.onEnd(sendAt);
  }
}
