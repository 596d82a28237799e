import { isDeepStrictEqual } from 'node:util';
import type { Sentence } from '../../domain/shared/message.js';
import type { AlertSubject, Alerts } from './alerts.js';

/** An open alert is raised again after this, because another process may have cleared it; otherwise that changes nothing. */
const againAfterMs = 60_000;

/**
 * The alerts of a condition that each of several processes judges for itself. A process clears what it raised, when the
 * condition is over or the process stops, and at its first judgement what a killed process before it may have left open.
 */
export class OwnAlerts {
  private readonly written = new Map<string, Written>();

  constructor(private readonly alerts: Pick<Alerts, 'raise' | 'reword' | 'clear'>) {}

  /** @param message null: the condition is over @param now an instant */
  async set(subject: AlertSubject, message: Sentence | null, now: number): Promise<void> {
    const key = `${subject.kind} ${subject.subject}`;
    const before = this.written.get(key);
    if (message === null) {
      if (before?.message === null) return;
      await this.alerts.clear({ ...subject, at: now });
    } else {
      const isKnown = isDeepStrictEqual(before?.message, message);
      if (before !== undefined && isKnown && now - before.at < againAfterMs) return;
      const isNew = await this.alerts.raise({ ...subject, message, at: now });
      if (!isNew && !isKnown) await this.alerts.reword({ ...subject, message });
    }
    this.written.set(key, { subject, message, at: now });
  }

  /** Clears what this process raised: another one that judges the same raises it again. @param now an instant */
  async clearRaised(now: number): Promise<void> {
    for (const { subject, message } of this.written.values())
      if (message !== null) await this.set(subject, null, now);
  }
}

interface Written {
  subject: AlertSubject;
  /** Null: cleared. */
  message: Sentence | null;
  at: number;
}
