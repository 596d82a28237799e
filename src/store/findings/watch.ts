import type { Alerts } from '../alerts/alerts.js';
import { message } from '../alerts/messages/message.js';

/** A reconciliation takes a few requests and a comparison: one that is this late is stuck. */
const stuckAfterMs = 30 * 60_000;
const stuck = { kind: 'reconciliation-stuck', subject: '' } as const;
const undiscovered = { kind: 'undiscovered-reservations', subject: '' } as const;

/**
 * Watches the reconciliation from outside its workflow (F51), because a run that does not start or end cannot report
 * that itself.
 */
export class ReconciliationWatch {
  /**
   * @param everyMs how often it is to run; null: it is switched off
   * @param since when the watch began: the first run may take that long from then on
   */
  constructor(
    private readonly alerts: Pick<Alerts, 'raise' | 'clear'>,
    private readonly everyMs: number | null,
    private readonly since: number,
  ) {}

  /**
   * Raises the alert where no run was completed in time. Where reconciliation is switched off, clears it.
   * @param completedAt when one was last completed, null: never; `now`: instants
   */
  async check(completedAt: number | null, now: number): Promise<void> {
    if (this.everyMs === null) {
      await this.alerts.clear({ ...stuck, at: now });
      await this.alerts.clear({ ...undiscovered, at: now });
      return;
    }
    const lateMs = now - Math.max(completedAt ?? this.since, this.since) - this.everyMs;
    if (lateMs < stuckAfterMs) return;
    const late = message('alert.reconciliation-stuck', { code: 'NOT_OVER' });
    await this.alerts.raise({ ...stuck, message: late, at: now });
  }
}
