import { AggregatorRegistry } from 'prom-client';
import type { MetricData } from '../../../api/http/metrics.js';
import type { ReceiverFigures } from '../../../inbox/receive/figures.js';
import type { ThreadReport } from './messages.js';

/** A thread that works reports every second. */
const currentMs = 5_000;

const none = { perSecond1m: 0, perSecond5m: 0 };

/** What the receiver's thread has reported, and those before it that ended. */
export class ThreadReports {
  private last: ThreadReport | undefined;
  private at: number;
  /** What ended threads counted: without it a counter would fall. */
  private before: MetricData[] = [];

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.at = now();
  }

  /** A thread is started: its first report is awaited from now on. */
  begin(): void {
    this.at = this.now();
  }

  record(report: ThreadReport): void {
    this.last = report;
    this.at = this.now();
  }

  /** The thread has ended: another one counts from nothing. */
  async end(): Promise<void> {
    const { last, before } = this;
    this.last = undefined;
    if (last === undefined) return;
    const counted = last.metrics.filter(({ type }) => String(type) !== 'gauge');
    this.before = await AggregatorRegistry.aggregate([before, counted]).getMetricsAsJSON();
  }

  /** Milliseconds since the last report of the thread, or since its start. */
  get ageMs(): number {
    return this.now() - this.at;
  }

  get isCurrent(): boolean {
    return this.last !== undefined && this.ageMs <= currentMs;
  }

  /** Of all threads so far. */
  get metrics(): readonly (readonly MetricData[])[] {
    return [this.before, this.last?.metrics ?? []];
  }

  /** None is received while none is reported. @param since instant, where no thread reports */
  figures(since: number): ReceiverFigures {
    if (this.last !== undefined && this.isCurrent) return this.last.figures;
    const begun = this.last?.figures.since ?? since;
    return { since: begun, accepted: none, refused: none, overloaded: none, acknowledgedMs: null };
  }
}
