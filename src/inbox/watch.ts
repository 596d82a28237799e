import type { Message } from '../domain/shared/message.js';
import type { Alerts } from '../store/alerts/alerts.js';
import type { AlertKind } from '../store/alerts/kinds.js';
import { message } from '../store/alerts/messages/message.js';
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
   * One alert that cannot be written holds up no other.
   * @param inbox what waits; `oldestForwardAt` for FORWARD_URL (null: nothing); `deadPosts`: posts were given up
   * @param now an instant
   * @throws the first error, after all were tried
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
    const ageOf = (at: number | null) => now - (at ?? now);
    const limit = { afterMs: backlogAfterMs };
    const stuck = message('alert.forward-stuck', { ...limit, retentionMs: forwardRetentionMs });
    const ofDead = Object.entries(deadPosts) as [Destination, boolean][];
    const checks = [
      () =>
        this.checkAge('intake-backlog', ageOf(oldestWaitingAt), message('alert.intake-backlog', limit), now),
      () =>
        this.checkAge(
          'intake-unjudged',
          ageOf(oldestUnjudgedAt),
          message('alert.intake-unjudged', limit),
          now,
        ),
      () => this.checkAge('forward-stuck', ageOf(oldestForwardAt), stuck, now),
      () => this.checkSilence(newestAt, silenceAfterMs, now),
      () => this.set(deadLetters, 'intake-dead-letters', message('alert.intake-dead-letters', {}), now),
      ...ofDead.map(([destination, areThere]) => () => {
        const text = message('alert.outbox-dead-letters', { destination });
        return this.set(areThere, 'outbox-dead-letters', text, now, destination);
      }),
    ];
    const failures: unknown[] = [];
    for (const check of checks) await check().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async checkAge(kind: AlertKind, waitingMs: number, text: Message, now: number): Promise<void> {
    const { backlogAfterMs } = this.options;
    if (waitingMs >= backlogAfterMs) await this.raise(kind, text, now);
    // hysteresis: clear only well below the limit
    else if (waitingMs < backlogAfterMs / 5) await this.clear(kind, now);
  }

  private async checkSilence(newestAt: number | null, afterMs: number | null, now: number): Promise<void> {
    // left open by an earlier setting
    if (afterMs === null) return this.clear('intake-silent', now);
    if (now - (newestAt ?? this.since) < afterMs) {
      // without any event, a watch that began earlier may have raised it
      if (newestAt !== null) await this.clear('intake-silent', now);
      return;
    }
    if (now - this.since >= Math.min(graceMs, afterMs))
      await this.raise('intake-silent', message('alert.intake-silent', { afterMs }), now);
  }

  private set(isOpen: boolean, kind: AlertKind, text: Message, at: number, subject = ''): Promise<void> {
    return isOpen ? this.raise(kind, text, at, subject) : this.clear(kind, at, subject);
  }

  private async raise(kind: AlertKind, text: Message, at: number, subject = ''): Promise<void> {
    if (this.isKnown(kind, subject, true, at)) return;
    await this.options.alerts.raise({ kind, subject, message: text, at });
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
