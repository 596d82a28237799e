import { sleep } from '@temporalio/workflow';

/**
 * The next-deadline timer. It is never cancelled: when the deadline moves later it fires early, the run checks its state
 * and sets it again; when the deadline moves earlier another timer starts beside it.
 */
export class DeadlineTimer {
  private pending: number[] = [];
  private fired = false;

  constructor(private readonly onFire: () => void) {}

  /** Makes sure that something fires at `instant` (milliseconds since the epoch) or before. */
  set(instant: number | null): void {
    if (instant === null || this.pending.some((other) => other <= instant)) return;
    this.pending.push(instant);
    void sleep(Math.max(instant - Date.now(), 1), { summary: 'next deadline' }).then(() => {
      this.pending = this.pending.filter((other) => other !== instant);
      this.fired = true;
      this.onFire();
    });
  }

  /** Fired since the last `reset()`. */
  get hasFired(): boolean {
    return this.fired;
  }

  reset(): void {
    this.fired = false;
  }
}
