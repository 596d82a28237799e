import type { Client } from '@temporalio/client';
import { and, asc, gt, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Alerts } from '../../../store/alerts/alerts.js';
import { holdWithoutWorkflow } from '../../../store/alerts/texts.js';
import type { HandoverDb } from '../../../store/handover.js';
import { holds } from '../../../store/schema.js';
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
    const { seq, holdId, carId, attention, endedAt } = holds;
    const rows = await db
      .select({ seq, holdId, carId, attention })
      .from(holds)
      .where(and(isNull(endedAt), gt(seq, this.after)))
      .orderBy(asc(seq))
      .limit(rowsPerRound);
    let gone = 0;
    for (const row of rows) {
      if (isStopping()) return gone;
      const workflow = await client.withDeadline(Date.now() + withinMs, () =>
        readGoneWorkflow(client, row.holdId),
      );
      const alert = { kind: 'hold-stuck', subject: row.holdId } as const;
      if (workflow !== undefined) {
        gone += 1;
        const message = holdWithoutWorkflow(row);
        if (!(await alerts.raise({ ...alert, message, at: now }))) await alerts.reword({ ...alert, message });
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
    if (raised.length === 0) return;
    const closed = await this.deps.db
      .select({ subject: holds.holdId })
      .from(holds)
      .where(and(inArray(holds.holdId, raised), isNotNull(holds.endedAt)));
    for (const { subject } of closed) await this.deps.alerts.clear({ kind: 'hold-stuck', subject, at });
  }
}
