import type { TimelineEntry } from '../src/lifecycle/index.js';
import { operations } from './proxies.js';

/**
 * Lines that raise or clear attention items, on their way to operations: in order, one request at a time. They leave
 * once they are recorded, and by a command of the history: a step that Temporal did not keep has told nobody.
 */
export class AttentionPosts {
  /** A request is on its way. */
  isOut = false;
  private restUntil = 0;

  /** @param onEnd told when a request has ended, and when to send again where it was not taken (instant) */
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
    const lines = { reservationId: this.reservationId, entries };
    operations.postAttention.executeWithOptions({ summary: 'tell operations' }, [lines]).then(
      () => this.ended(null),
      () => {
        this.waiting.unshift(...entries);
        this.restUntil = Date.now() + restMs;
        this.ended(this.restUntil);
      },
    );
  }

  private ended(sendAt: number | null): void {
    this.isOut = false;
    this.onEnd(sendAt);
  }
}

const restMs = 10_000;
