import type { Alerts } from '../store/alerts/alerts.js';
import {
  forwardStuck,
  intakeBacklog,
  intakeDeadLetters,
  intakeSilent,
  intakeUnjudged,
  outboxDeadLetters,
} from '../store/alerts/texts.js';
import type { InboxTimes } from '../store/callbacks/backlog.js';
import type { AlertKind, Destination } from '../store/schema.js';

export interface WatchOptions {
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  backlogAfterMs: number;
  /** Null: no callbacks are expected. */
  silenceAfterMs: number | null;
  /** After so long what FORWARD_URL did not take is dropped. */
  forwardRetentionMs: number;
}

/** A process that has just begun may find an old inbox because nothing was there to receive. */
const graceMs = 15 * 60_000;
/** Another process may have raised or cleared an alert since: so often it is written again, which changes nothing if not. */
const knownForMs = 60_000;

/**
 * Raises and clears the alerts of the intake. Several processes may watch at once: each judges by what waits. `since` is when this
 * one began to, and counts as a sign of life where no event ever came.
 */
export class IntakeWatch {
  /** What was written last, and when: nothing is written where nothing changed. */
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
    await this.waits('intake-backlog', waitingMs, intakeBacklog(backlogAfterMs), now);
    const unjudgedMs = now - (oldestUnjudgedAt ?? now);
    await this.waits('intake-unjudged', unjudgedMs, intakeUnjudged(backlogAfterMs), now);
    const forwardMs = now - (oldestForwardAt ?? now);
    await this.waits('forward-stuck', forwardMs, forwardStuck(backlogAfterMs, forwardRetentionMs), now);
    if (silenceAfterMs !== null) await this.silence(newestAt ?? this.since, silenceAfterMs, now);
    if (deadLetters) await this.raise('intake-dead-letters', intakeDeadLetters, now);
    else await this.clear('intake-dead-letters', now);
    for (const [destination, areThere] of Object.entries(deadPosts) as [Destination, boolean][]) {
      if (areThere) await this.raise('outbox-dead-letters', outboxDeadLetters(destination), now, destination);
      else await this.clear('outbox-dead-letters', now, destination);
    }
  }

  private async waits(kind: AlertKind, waitingMs: number, message: string, now: number): Promise<void> {
    const { backlogAfterMs } = this.options;
    if (waitingMs >= backlogAfterMs) await this.raise(kind, message, now);
    // hysteresis: clear only well below the limit
    else if (waitingMs < backlogAfterMs / 5) await this.clear(kind, now);
  }

  private async silence(lastAt: number, afterMs: number, now: number): Promise<void> {
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
