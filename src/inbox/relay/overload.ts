import { availableParallelism } from 'node:os';

/** What one core applies beside all else, with room to spare: the page of figures has what was measured. */
const perSecondAndCore = 100;
/** An overload shows in so short a time, */
const periodMs = 200;
/** and so long after its last sign it is over. */
const holdMs = 1_000;

/**
 * Whether callbacks come to the receiver of this process faster than its machine applies them. Then the relay of the same
 * process sheds relay load: a sender waits five seconds (G33), a backlog waits as long as it must.
 */
export class Overload {
  private periodEndsAt = 0;
  private count = 0;
  private until = 0;

  /** @param perSecond from so many callbacks on it is one; @param now milliseconds of any clock that only goes forward */
  constructor(
    private readonly perSecond = perSecondAndCore * availableParallelism(),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A callback is stored. */
  arrived(): void {
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
