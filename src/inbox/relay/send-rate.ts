/** Two cores apply some 40 signals a second. */
const busyPerSecond = 10;

/** Whether a relay sends many signals. Then fewer, larger ones are worth a longer wait. */
export class SendRate {
  /** Of the last sends, oldest first. */
  private readonly sentAt: number[] = [];

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  record(): void {
    this.sentAt.push(this.now());
    if (this.sentAt.length > busyPerSecond) this.sentAt.shift();
  }

  get isBusy(): boolean {
    const [first] = this.sentAt;
    return first !== undefined && this.sentAt.length === busyPerSecond && this.now() - first < 1_000;
  }
}
