import { type Backoff, backoffMs } from '../../domain/shared/backoff.js';

/** When to try again after failures in a row. Times are milliseconds of one clock: a monotonic one. */
export class RetryGate {
  private failures = 0;
  private until = 0;
  constructor(private readonly waits: Backoff) {}

  recordFailure(now: number): void {
    this.failures++;
    this.until = now + backoffMs(this.failures, this.waits);
  }
  recordSuccess(): void {
    this.failures = 0;
    this.until = 0;
  }
  /** The next try may come at once; the failures still count. */
  tryNow(): void {
    this.until = 0;
  }
  isOver(now: number): boolean {
    return now >= this.until;
  }
  /** True between the first failure and the next success. */
  get isFailing(): boolean {
    return this.failures > 0;
  }
}
