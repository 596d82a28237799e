import { log, patched } from '@temporalio/workflow';
import type { HoldRecord } from '../../src/contract/hold.js';
import { holdRow, retriedHoldRow } from '../shared/proxies.js';

const writeAgainAfterMs = 10_000;

/** Writes the row of a hold: once; where that fails, it is retried beside everything else. */
export class HoldRow {
  private isRetrying = false;
  private writeAt = 0;
  /** Decided once a run, at its first failed write: a run that began under 0.2.0 retries every ten seconds. */
  private mayRetry: boolean | undefined;

  /** @param onEnd called when a retried write has ended */
  constructor(private readonly onEnd: () => void) {}

  /** Instant from which the row may be written; null: a write is being retried, and newer facts wait until it has ended. */
  get dueAt(): number | null {
    return this.isRetrying ? null : this.writeAt;
  }

  /** @param onWritten called once the row is in the database */
  async write(record: HoldRecord, onWritten: () => void): Promise<void> {
    const options = { summary: record.facts.state };
    try {
      await holdRow.recordHold.executeWithOptions(options, [record]);
      onWritten();
    } catch {
      log.warn('the row of the hold is not written yet; it will be retried');
      this.retry(() => retriedHoldRow.recordHold.executeWithOptions(options, [record]).then(onWritten));
    }
  }

  private retry(write: () => Promise<void>): void {
    this.mayRetry ??= patched('hold-rows-are-retried-beside');
    if (!this.mayRetry) {
      this.writeAt = Date.now() + writeAgainAfterMs;
      return;
    }
    this.isRetrying = true;
    const ended = () => {
      this.isRetrying = false;
      this.onEnd();
    };
    void write().then(ended, ended);
  }
}
