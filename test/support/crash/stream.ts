import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from './deliveries.js';
import type { Sender } from './sender.js';

/** Sends so many callbacks a second by the clock, whether they are answered or not, until it is stopped. */
export class Stream {
  /** In the order in which they were due. */
  readonly sent: Delivery[] = [];
  /** Of these. */
  acknowledged = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly sender: Sender,
    private readonly deliveries: Iterator<Delivery, never>,
    private readonly perSecond: number,
  ) {
    this.running = this.run();
  }

  /** Resolves when no more are sent; answers may be outstanding. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    while (!this.isOver) {
      const due = ((performance.now() - startedAt) / 1_000) * this.perSecond;
      while (this.sent.length < due) this.sendNext();
      await sleep(1_000 / this.perSecond);
    }
  }

  private sendNext(): void {
    const { value } = this.deliveries.next();
    this.sent.push(value);
    void this.sender.sendAtOnce(value).then(() => {
      this.acknowledged++;
    });
  }
}
