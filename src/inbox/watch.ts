import type { Alerts } from '../store/alerts/alerts.js';
import type { AlertKind } from '../store/alerts/kinds.js';
import {
  forwardStuck,
  intakeBacklog,
  intakeDeadLetters,
  intakeSilent,
  intakeUnjudged,
  outboxDeadLetters,
} from '../store/alerts/texts.js';
import type { InboxTimes } from '../store/callbacks/backlog.js';
import type { Destination } from '../store/schema.js';

export interface WatchOptions {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  backlogAfterMs: number;
  /** Null: no callbacks are expected. */
  silenceAfterMs: number | null;
  /** How long a callback waits for FORWARD_URL before it is dropped. */
  forwardRetentionMs: number;
}

/** A process that has just started may find an old inbox, because no process was receiving. */
const graceMs = 15 * 60_000;
/** An alert is written again after this, because another process may have changed it; otherwise that changes nothing. */
const knownForMs = 60_000;

/**
 * Raises and clears the alerts of the intake. Several processes may watch at once: each judges by the database. `since` is
 * when this one began to watch; silence counts from then where no event ever arrived.
 */
export class IntakeWatch {
  /** The state of each alert when it was last written: nothing is written where nothing changed. */
  private readonly written = new Map<string, { isOpen: boolean; at: number }>();
  constructor(
    private readonly options: WatchOptions,
    private readonly since: number,
  ) {}

  /**
   * @param inbox what waits; `oldestForwardAt` for FORWARD_URL (null: nothing); `deadPosts`: posts were given up
   * @param now an instant
   */
  async check(
    inbox: InboxTimes & {
      deadLetters: boolean;
      oldestForwardAt: number | null;
      deadPosts: Readonly<Record<Destination, boolean>>;
    },
    now: number,
  ): Promise<void> {
    const { oldestWaitingAt, oldestUnjudgedAt, newestAt, deadLetters, oldestForwardAt, deadPosts } = inbox;
    const { backlogAfterMs, silenceAfterMs, forwardRetentionMs } = this.options;
    const waitingMs = now - (oldestWaitingAt ?? now);
    await this.checkAge('intake-backlog', waitingMs, intakeBacklog(backlogAfterMs), now);
    const unjudgedMs = now - (oldestUnjudgedAt ?? now);
    await this.checkAge('intake-unjudged', unjudgedMs, intakeUnjudged(backlogAfterMs), now);
    const forwardMs = now - (oldestForwardAt ?? now);
    await this.checkAge('forward-stuck', forwardMs, forwardStuck(backlogAfterMs, forwardRetentionMs), now);
    if (silenceAfterMs !== null) await this.checkSilence(newestAt ?? this.since, silenceAfterMs, now);
    if (deadLetters) await this.raise('intake-dead-letters', intakeDeadLetters, now);
    else await this.clear('intake-dead-letters', now);
    for (const [destination, areThere] of Object.entries(deadPosts) as [Destination, boolean][]) {
      if (areThere) await this.raise('outbox-dead-letters', outboxDeadLetters(destination), now, destination);
      else await this.clear('outbox-dead-letters', now, destination);
    }
  }

  private async checkAge(kind: AlertKind, waitingMs: number, message: string, now: number): Promise<void> {
    const { backlogAfterMs } = this.options;
    if (waitingMs >= backlogAfterMs) await this.raise(kind, message, now);
    // hysteresis: clear only well below the limit
    else if (waitingMs < backlogAfterMs / 5) await this.clear(kind, now);
  }

  private async checkSilence(lastAt: number, afterMs: number, now: number): Promise<void> {
    if (now - lastAt < afterMs) return this.clear('intake-silent', now);
    if (now - this.since >= Math.min(graceMs, afterMs))
      await this.raise('intake-silent', intakeSilent(afterMs), now);
  }

  private async raise(kind: AlertKind, message: string, at: number, subject = ''): Promise<void> {
    if (this.isKnown(kind, subject, true, at)) return;
    await this.options.alerts.raise({ kind, subject, message, at });
    this.written.set(`${kind} ${subject}`, { isOpen: true, at });
  }

  private async clear(kind: AlertKind, at: number, subject = ''): Promise<void> {
    if (this.isKnown(kind, subject, false, at)) return;
    await this.options.alerts.clear({ kind, subject, at });
    this.written.set(`${kind} ${subject}`, { isOpen: false, at });
  }

  private isKnown(kind: AlertKind, subject: string, isOpen: boolean, at: number): boolean {
    const known = this.written.get(`${kind} ${subject}`);
    return known?.isOpen === isOpen && at - known.at < knownForMs;
  }
}
