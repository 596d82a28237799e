import { sql } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { lastReconciliation } from '../schema.js';

const id = 1;

/** When the reconciliation was last completed, an instant; null: never. */
export async function readCompleted(db: HandoverDb): Promise<number | null> {
  const [row] = await db.select({ at: lastReconciliation.completedAt }).from(lastReconciliation);
  return row?.at ?? null;
}

/** Records the completion; the later instant stays. */
export async function markCompleted(db: HandoverDb, completedAt: number): Promise<void> {
  await db
    .insert(lastReconciliation)
    .values({ id, completedAt })
    .onConflictDoUpdate({
      target: lastReconciliation.id,
      set: { completedAt: sql`greatest(${lastReconciliation.completedAt}, excluded.completed_at)` },
    });
}
