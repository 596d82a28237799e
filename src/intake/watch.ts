import type { Alerts } from '../alerts/alerts.js';
import { intakeBacklog, intakeDeadLetters, intakeSilent } from '../alerts/messages.js';
import type { AlertKind } from '../db/schema.js';
import type { InboxTimes } from './backlog.js';

export interface WatchOptions {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  backlogAfterMs: number;
  /** Null: this deployment has no role that hears callbacks. */
  silenceAfterMs: number | null;
}

/** A process that has just begun may find an old inbox because nothing was there to receive. */
const graceMs = 15 * 60_000;

/**
 * Raises and clears the alerts of the intake. The one who is active watches: `since` is when it began to, and counts as a
 * sign of life where no event ever came.
 */
export class IntakeWatch {
  /** What was said last: nothing is written where nothing changed. */
  private readonly said = new Map<AlertKind, boolean>();
  constructor(
    private readonly options: WatchOptions,
    private readonly since: number,
  ) {}

  /** @param now an instant */
  async look(inbox: InboxTimes & { deadLetters: boolean }, now: number): Promise<void> {
    const { oldestWaitingAt, oldestUnjudgedAt, newestAt, deadLetters } = inbox;
    const { backlogAfterMs, silenceAfterMs } = this.options;
    const waitingMs = now - Math.min(oldestWaitingAt ?? now, oldestUnjudgedAt ?? now);
    if (waitingMs >= backlogAfterMs) await this.raise('intake-backlog', intakeBacklog(backlogAfterMs), now);
    // an inbox that is being emptied is not yet empty: halfway it might be raised again
    else if (waitingMs < backlogAfterMs / 5) await this.clear('intake-backlog', now);
    if (silenceAfterMs !== null) await this.silence(newestAt ?? this.since, silenceAfterMs, now);
    if (deadLetters) await this.raise('intake-dead-letters', intakeDeadLetters, now);
    else await this.clear('intake-dead-letters', now);
  }

  private async silence(lastAt: number, afterMs: number, now: number): Promise<void> {
    if (now - lastAt < afterMs) return this.clear('intake-silent', now);
    if (now - this.since >= Math.min(graceMs, afterMs))
      await this.raise('intake-silent', intakeSilent(afterMs), now);
  }

  private async raise(kind: AlertKind, message: string, at: number): Promise<void> {
    if (this.said.get(kind) === true) return;
    await this.options.alerts.raise({ kind, subject: '', message, at });
    this.said.set(kind, true);
  }

  private async clear(kind: AlertKind, at: number): Promise<void> {
    if (this.said.get(kind) === false) return;
    await this.options.alerts.clear({ kind, subject: '', at });
    this.said.set(kind, false);
  }
}
