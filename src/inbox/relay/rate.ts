/** The rate is measured over this period. A shorter one takes for a high rate what comes at once after a short stall of the process. */
const periodMs = 500;
/** The rate stays high for so long after the last period over the limit. */
const holdMs = 1_000;

/** Whether something happens at a high rate. */
export class Rate {
  private periodEndsAt = 0;
  private count = 0;
  private until = 0;

  /** @param perSecond what is high; @param now milliseconds of a monotonic clock */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  record(times = 1): void {
    const now = this.now();
    if (now >= this.periodEndsAt) {
      this.periodEndsAt = now + periodMs;
      this.count = 0;
    }
    this.count += times;
    if (this.count * 1000 >= this.perSecond * periodMs) this.until = now + holdMs;
  }

  get isHigh(): boolean {
    return this.now() < this.until;
  }
}
