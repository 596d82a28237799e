import { and, eq, inArray, ne, sql } from 'drizzle-orm';
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

/** A row whose send was refused, with the code why. @returns how often it was by now */
export async function countRefusal(db: HandoverDb, id: number, code: string): Promise<number> {
  const [row] = await db
    .update(inbox)
    .set({ failures: sql`${inbox.failures} + 1`, lastError: code })
    .where(eq(inbox.id, id))
    .returning({ failures: inbox.failures });
  return row?.failures ?? 0;
}

/**
 * Makes waiting rows of a reservation dead letters: no relay looks at them any more.
 * @param rows their ids, or all that wait for the reservation
 * @returns the ids of those that became it
 */
export async function bury(
  db: HandoverDb,
  { reservationId, rows, code }: { reservationId: number; rows: number[] | 'all'; code: string },
): Promise<number[]> {
  if (rows.length === 0) return [];
  const buried = await db
    .update(inbox)
    .set({ state: 'dead', lastError: code })
    .where(
      and(
        eq(inbox.reservationId, reservationId),
        eq(inbox.state, 'received'),
        rows === 'all' ? undefined : inArray(inbox.id, rows),
      ),
    )
    .returning({ id: inbox.id });
  return buried.map(({ id }) => id);
}
