import type { Instant } from '../../../domain/shared/time.js';

/** The time of the stage: what the engine shows, which runs in real time between two skips. It never goes back. */
export class StageClock {
  private shown: Instant = 0;
  private since = performance.now();

  now = (): Instant => Math.round(this.shown + performance.now() - this.since);

  /** The engine shows `at`, or is about to skip there. */
  set(at: Instant): void {
    this.shown = Math.max(at, this.now());
    this.since = performance.now();
  }
}
