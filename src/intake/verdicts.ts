import { and, inArray, ne, sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { inbox } from '../db/schema.js';
import type { Verdict } from '../lifecycle/types.js';

/** Gives rows that no workflow will judge their verdict. A verdict once given stands. */
export async function settleRows(
  db: HandoverDb,
  ids: number[],
  judged: { verdict: Verdict; rule: string; at: number },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(inbox)
    .set({ state: 'done', verdict: judged.verdict, rule: judged.rule, verdictAt: judged.at })
    .where(and(inArray(inbox.id, ids), ne(inbox.state, 'done')));
}

/** Rows whose signal Temporal has: the workflow judges them. One that was judged meanwhile stays `done`. */
export async function markSent(db: HandoverDb, ids: number[], at: number): Promise<void> {
  await db
    .update(inbox)
    .set({ state: 'sent', sentAt: at })
    .where(and(inArray(inbox.id, ids), ne(inbox.state, 'done')));
}

/** Rows whose send was refused, with the code why; they stay where they are. */
export async function countFailure(db: HandoverDb, ids: number[], code: string): Promise<void> {
  await db
    .update(inbox)
    .set({ failures: sql`${inbox.failures} + 1`, lastError: code })
    .where(inArray(inbox.id, ids));
}
