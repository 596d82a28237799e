import { and, isNotNull, lt } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { audit, carWrites, shifts } from '../schema.js';

export const hasReasonBefore = (before: number) => and(isNotNull(audit.reason), lt(audit.at, before));

/**
 * Deletes texts that belong to no reservation: reasons in the audit, notes of shifts, and answers to writes on cars. Who did what
 * and when stays, and so do keys with their marks: a repeat of an old request does not act again (L21).
 * @returns how many
 */
export async function deleteTextsBefore(db: HandoverDb, before: number): Promise<number> {
  const reasons = await db
    .update(audit)
    .set({ reason: null })
    .where(hasReasonBefore(before))
    .returning({ id: audit.id });
  const notes = await db
    .update(shifts)
    .set({ note: null })
    .where(and(isNotNull(shifts.note), lt(shifts.at, before)))
    .returning({ id: shifts.id });
  const writes = await db
    .update(carWrites)
    .set({ result: null })
    .where(and(isNotNull(carWrites.result), lt(carWrites.createdAt, before)))
    .returning({ id: carWrites.commandId });
  return reasons.length + notes.length + writes.length;
}
