/** When to try again after failures in a row: doubled each time, up to a bound. Times are milliseconds. */
export class Backoff {
  private failures = 0;
  private until = 0;
  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {}

  failed(now: number): void {
    this.until = now + Math.min(this.longestMs, this.firstMs * 2 ** this.failures);
    this.failures++;
  }
  succeeded(): void {
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
  get failing(): boolean {
    return this.failures > 0;
  }
}
