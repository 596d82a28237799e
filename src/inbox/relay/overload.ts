import { availableParallelism } from 'node:os';

/** Callbacks that one core applies beside its other work, with a reserve (docs/intake-figures.md has the measurement). */
const perSecondAndCore = 100;
/** The rate is measured over this period. A shorter one takes for an overload what comes at once after a short stall of the process. */
const periodMs = 500;
/** An overload ends this long after the last period over the limit. */
const holdMs = 1_000;

/**
 * Whether callbacks come to the receiver of this process faster than its machine applies them. Then the relay of the same
 * process sends less: a sender waits only five seconds (G33), a backlog can wait.
 */
export class Overload {
  private periodEndsAt = 0;
  private count = 0;
  private until = 0;

  /** @param perSecond callbacks from which it is an overload; @param now milliseconds of a monotonic clock */
  constructor(
    private readonly perSecond = perSecondAndCore * availableParallelism(),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Call it for each stored callback. */
  recordArrival(): void {
    const now = this.now();
    if (now >= this.periodEndsAt) {
      this.periodEndsAt = now + periodMs;
      this.count = 0;
    }
    this.count++;
    if (this.count * 1000 >= this.perSecond * periodMs) this.until = now + holdMs;
  }

  get isOn(): boolean {
    return this.now() < this.until;
  }
}
