import { isNull, sql } from 'drizzle-orm';
import { type EndHold, factsOfView, type HoldView } from '../../domain/hold/index.js';
import type { Alerts } from '../alerts/alerts.js';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { holds } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { columnsOf } from './store.js';

/** The data with which a manager closes a hold whose workflow is gone (F13, F16). */
interface HoldClosing {
  /** An instant. */
  at: number;
  /** The hold as it is closed. */
  view: HoldView;
  input: EndHold;
}
/** False: its row is closed already, and nothing was written. */
export type CloseHold = (closing: HoldClosing) => Promise<boolean>;

/** Closes the row of a hold in place of its workflow, with its audit entry in one transaction, then clears its alert. */
export function createHoldCloser(
  db: HandoverDb,
  { sealer, alerts }: { sealer: Pick<Sealer, 'seal'>; alerts: Pick<Alerts, 'clear'> },
): CloseHold {
  return async ({ at, view, input: { commandId, by, reason } }) => {
    const { holdId, carId } = view;
    const { holdId: _, ...content } = columnsOf(sealer, { at, facts: factsOfView(view), view });
    const left = view.attention.flatMap((item) => item.left).join(' ');
    const isClosed = await db.transaction(async (tx) => {
      const written = await tx
        .insert(holds)
        .values({ holdId, ...content })
        .onConflictDoUpdate({
          target: holds.holdId,
          // the clock of the last worker may be ahead
          set: { ...content, writtenAt: sql`greatest(${holds.writtenAt}, excluded.written_at)` },
          setWhere: isNull(holds.endedAt),
        })
        .returning({ seq: holds.seq });
      if (written.length === 0) return false;
      const data = { carId, commandId, outcome: 'applied', code: 'HOLD_WORKFLOW_GONE', left };
      await writeAudit(tx, sealer, {
        at,
        by,
        action: 'hold.resolve',
        subject: `hold/${holdId}`,
        reason,
        data,
        commandId: `hold-${holdId}.${commandId}`,
      });
      return true;
    });
    await alerts.clear({ kind: 'hold-stuck', subject: holdId, at });
    return isClosed;
  };
}
