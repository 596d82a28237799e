import type { Attempts, RecordedAttempt } from '../../src/store/attempts.js';

/** Attempts as the database has them, in memory; each row names the run that recorded it. */
export class FakeAttempts implements Attempts {
  readonly rows = new Map<string, string>();
  /** The database gives no answer. */
  isAway = false;
  /** Called while an attempt is recorded. */
  recording = () => {};

  async record(
    { command, attempt }: { command: string; attempt: string },
    runId: string,
  ): Promise<RecordedAttempt> {
    this.recording();
    if (this.isAway) return 'unavailable';
    const key = `${command} ${attempt}`;
    if (this.rows.has(key)) return 'known';
    this.rows.set(key, runId);
    return 'recorded';
  }
}
