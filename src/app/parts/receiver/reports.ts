import type { ThreadReport } from './messages.js';

/** A thread without a report for this long hangs: only a restart of the process helps. */
const silentMs = 30_000;

/** What a receiver's thread reports about itself. */
export class ThreadReports {
  private at: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    public last: ThreadReport,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.at = now();
  }

  record(report: ThreadReport): void {
    this.last = report;
    this.at = this.now();
  }

  /** @throws Error where the last report is too old */
  assertRecent(): void {
    if (this.now() - this.at > silentMs) throw new Error('the callback receiver does not report');
  }
}
