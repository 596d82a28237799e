import type { Alerts } from '../alerts/alerts.js';
import { forwardStuck, intakeBacklog, intakeDeadLetters, intakeSilent } from '../alerts/messages.js';
import type { AlertKind } from '../db/schema.js';
import type { InboxTimes } from './backlog.js';

export interface WatchOptions {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  backlogAfterMs: number;
  /** Null: nobody is to call this deployment. */
  silenceAfterMs: number | null;
  /** After so long what FORWARD_URL did not take is dropped. */
  forwardsKeptMs: number;
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

  /**
   * @param inbox what waits; `oldestForwardAt` for FORWARD_URL (null: nothing)
   * @param now an instant
   */
  async look(
    inbox: InboxTimes & { deadLetters: boolean; oldestForwardAt: number | null },
    now: number,
  ): Promise<void> {
    const { oldestWaitingAt, oldestUnjudgedAt, newestAt, deadLetters, oldestForwardAt } = inbox;
    const { backlogAfterMs, silenceAfterMs, forwardsKeptMs } = this.options;
    const waitingMs = now - Math.min(oldestWaitingAt ?? now, oldestUnjudgedAt ?? now);
    await this.waits('intake-backlog', waitingMs, intakeBacklog(backlogAfterMs), now);
    const forwardMs = now - (oldestForwardAt ?? now);
    await this.waits('forward-stuck', forwardMs, forwardStuck(backlogAfterMs, forwardsKeptMs), now);
    if (silenceAfterMs !== null) await this.silence(newestAt ?? this.since, silenceAfterMs, now);
    if (deadLetters) await this.raise('intake-dead-letters', intakeDeadLetters, now);
    else await this.clear('intake-dead-letters', now);
  }

  private async waits(kind: AlertKind, waitingMs: number, message: string, now: number): Promise<void> {
    const { backlogAfterMs } = this.options;
    if (waitingMs >= backlogAfterMs) await this.raise(kind, message, now);
    // what is being emptied is not yet empty: halfway it might be raised again
    else if (waitingMs < backlogAfterMs / 5) await this.clear(kind, now);
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
