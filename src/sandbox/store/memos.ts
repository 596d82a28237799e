import { and, asc, eq, gt } from 'drizzle-orm';
import type { CarMemo } from '../../platform/model.js';
import type { Page } from './fleet.js';
import { memos } from './schema.js';
import type { Executor } from './store.js';

export async function insertMemo(tx: Executor, memo: Omit<CarMemo, 'memoId'>): Promise<CarMemo> {
  const [row] = await tx.insert(memos).values(memo).returning();
  if (!row) throw new Error('an insert returned no row');
  return row;
}

/** The memos of a car, ascending id (G21). */
export function findMemos(db: Executor, carId: number, page: Page): Promise<CarMemo[]> {
  return db
    .select()
    .from(memos)
    .where(and(eq(memos.carId, carId), gt(memos.memoId, page.after)))
    .orderBy(asc(memos.memoId))
    .limit(page.limit);
}
