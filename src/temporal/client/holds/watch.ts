import type { Client } from '@temporalio/client';
import type { Alerts } from '../../../store/alerts/alerts.js';
import { message } from '../../../store/alerts/messages/message.js';
import type { HandoverDb } from '../../../store/handover.js';
import { endedAmong, openHoldsAfter } from '../../../store/holds/watched.js';
import { inTime } from '../calls.js';
import { readGoneWorkflow } from './gone-workflow.js';

const withinMs = 10_000;
const rowsPerRound = 500;
const alertsPerRound = 1_000;

export interface HoldWatchDeps {
  db: HandoverDb;
  client: Client;
  alerts: Pick<Alerts, 'raise' | 'clear' | 'reword' | 'list'>;
}

/**
 * Finds open holds whose workflow is gone, which cannot report that themselves (F16): each has the alert `hold-stuck`.
 * Clears that alert where the hold was closed, or its workflow was reset and nothing of it is stuck.
 */
export class HoldWatch {
  /** Where the next round begins: a round reads a bounded number of rows. */
  private after = 0;

  constructor(private readonly deps: HoldWatchDeps) {}

  /** @returns how many open holds have no workflow, of those that this round read */
  async check(now: number, isStopping: () => boolean = () => false): Promise<number> {
    const { db, client, alerts } = this.deps;
    // read first: an alert that is raised from here on is not this round's to clear
    const { items: open } = await alerts.list({ state: 'open', kind: 'hold-stuck', limit: alertsPerRound });
    const raised = new Set(open.map(({ subject }) => subject));
    const rows = await openHoldsAfter(db, { after: this.after, limit: rowsPerRound });
    let gone = 0;
    for (const row of rows) {
      if (isStopping()) return gone;
      const workflow = await inTime(client, withinMs, () => readGoneWorkflow(client, row.holdId));
      const alert = { kind: 'hold-stuck', subject: row.holdId } as const;
      if (workflow !== undefined) {
        gone += 1;
        const { holdId, carId } = row;
        const text = { ...alert, message: message('alert.hold-without-workflow', { holdId, carId }) };
        if (!(await alerts.raise({ ...text, at: now }))) await alerts.reword(text);
      } else if (raised.has(row.holdId) && row.attention.length === 0)
        await alerts.clear({ ...alert, at: now });
      this.after = row.seq;
    }
    if (rows.length < rowsPerRound) this.after = 0;
    await this.clearClosed([...raised], now);
    return gone;
  }

  /** A process may have ended between closing a row and clearing its alert. */
  private async clearClosed(raised: string[], at: number): Promise<void> {
    const { db, alerts } = this.deps;
    for (const subject of await endedAmong(db, raised))
      await alerts.clear({ kind: 'hold-stuck', subject, at });
  }
}
