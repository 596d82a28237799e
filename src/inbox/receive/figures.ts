import { Summary } from 'prom-client';
import type { CountedAnswer, ReceiverMetrics } from './receiver-metrics.js';

const retainedSeconds = 300;

/** Callbacks per second, over the last minute and the last five. */
interface Rates {
  perSecond1m: number;
  perSecond5m: number;
}

/** Recent figures of a receiver; `since`: when it began to count (instant). */
export interface ReceiverFigures {
  since: number;
  accepted: Rates;
  /** Answered 4xx. */
  refused: Rates;
  /** Answered 503. */
  overloaded: Rates;
  /** From the headers to the acknowledgement, in the last five minutes; null where there was none. */
  acknowledgedMs: { p50: number; p99: number } | null;
}

/** Counts the answers of this process's receiver, for the status API; `/metrics` has the same figures. */
export class FigureBook implements ReceiverMetrics {
  private readonly since: number;
  private readonly accepted = new Seconds();
  private readonly refused = new Seconds();
  private readonly overloaded = new Seconds();
  private readonly acknowledged = new Summary({
    name: 'acknowledged_seconds',
    help: 'Time to the acknowledgement',
    percentiles: [0.5, 0.99],
    maxAgeSeconds: retainedSeconds,
    ageBuckets: 5,
    registers: [],
  });

  constructor(private readonly clock: () => number = Date.now) {
    this.since = clock();
  }

  countAnswer({ outcome, status, seconds }: CountedAnswer): void {
    const now = this.clock();
    if (outcome === 'stored') {
      this.accepted.count(now);
      this.acknowledged.observe(seconds);
      return;
    }
    if (status === 503) this.overloaded.count(now);
    else if (status < 500) this.refused.count(now);
  }

  async read(): Promise<ReceiverFigures> {
    const now = this.clock();
    const rates = (seconds: Seconds): Rates => ({
      perSecond1m: seconds.perSecond(now, 60, this.since),
      perSecond5m: seconds.perSecond(now, retainedSeconds, this.since),
    });
    const accepted = rates(this.accepted);
    return {
      since: this.since,
      accepted,
      refused: rates(this.refused),
      overloaded: rates(this.overloaded),
      acknowledgedMs: accepted.perSecond5m === 0 ? null : await this.percentiles(),
    };
  }

  private async percentiles(): Promise<{ p50: number; p99: number }> {
    const { values } = await this.acknowledged.get();
    const ms = (quantile: number) =>
      round((values.find(({ labels }) => labels.quantile === quantile)?.value ?? 0) * 1000);
    return { p50: ms(0.5), p99: ms(0.99) };
  }
}

/** A count for each of the last 300 seconds. */
class Seconds {
  private readonly counts = new Uint32Array(retainedSeconds);
  private readonly second = new Float64Array(retainedSeconds).fill(-1);

  count(now: number): void {
    const at = Math.floor(now / 1000);
    const place = at % retainedSeconds;
    if (this.second[place] !== at) {
      this.second[place] = at;
      this.counts[place] = 0;
    }
    this.counts[place] = (this.counts[place] ?? 0) + 1;
  }

  /** The rate over the last `seconds`, or since `since` where that is less. */
  perSecond(now: number, seconds: number, since: number): number {
    const last = Math.floor(now / 1000);
    const total = this.counts.reduce((sum, count, place) => {
      const at = this.second[place] ?? -1;
      return at > last - seconds && at <= last ? sum + count : sum;
    }, 0);
    return round(total / Math.max(1, Math.min(seconds, (now - since) / 1000)));
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
