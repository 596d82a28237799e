import { and, asc, gt, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { holds } from '../schema.js';

/** Open holds in order of creation. @param after `seq` of the last one that was read; 0: from the first */
export function openHoldsAfter(db: HandoverDb, { after, limit }: { after: number; limit: number }) {
  const { seq, holdId, carId, attention, endedAt } = holds;
  return db
    .select({ seq, holdId, carId, attention })
    .from(holds)
    .where(and(isNull(endedAt), gt(seq, after)))
    .orderBy(asc(seq))
    .limit(limit);
}

/** Ids of those that have ended. */
export async function endedAmong(db: HandoverDb, holdIds: readonly string[]): Promise<string[]> {
  if (holdIds.length === 0) return [];
  const ended = await db
    .select({ holdId: holds.holdId })
    .from(holds)
    .where(and(inArray(holds.holdId, [...holdIds]), isNotNull(holds.endedAt)));
  return ended.map(({ holdId }) => holdId);
}
