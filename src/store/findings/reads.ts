import { and, eq, lt, ne, sql } from 'drizzle-orm';
import type { SliceRead } from '../../domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../domain/reservation/types.js';
import { timestamptz } from '../columns.js';
import type { HandoverDb } from '../handover.js';
import { scheduleReads } from '../schema.js';
import { inBatches } from './in-batches.js';

const oldAfterMs = 10 * 60_000;

export interface SlicePlace {
  run: string;
  /** Position in the period that is read, from 0. */
  index: number;
}

/** Stores the R entries of one slice until they are compared, in place of an earlier result. @param at an instant */
export async function storeSlice(
  db: HandoverDb,
  { run, index }: SlicePlace,
  entries: readonly ScheduleEntry[],
  at: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .delete(scheduleReads)
      .where(and(ne(scheduleReads.run, run), lt(scheduleReads.readAt, at - oldAfterMs)));
    await tx.delete(scheduleReads).where(and(eq(scheduleReads.run, run), eq(scheduleReads.slice, index)));
    await inBatches(entries, (batch) =>
      tx.execute(sql`
        insert into schedule_reads (run, slice, schedule_id, car_id, start_at, end_at, read_at)
        select ${run}, ${index}, one."scheduleId", one."carId", to_timestamp(one.start / 1000.0),
               to_timestamp(one."end" / 1000.0), ${timestamptz(at)}
        from jsonb_to_recordset(${batch}::text::jsonb)
             as one("scheduleId" bigint, "carId" bigint, start float8, "end" float8)
        on conflict do nothing`),
    );
  });
}

/** The slices that a run has read. */
export async function readSlices<S extends Omit<SliceRead, 'entries'>>(
  db: HandoverDb,
  run: string,
  slices: readonly S[],
): Promise<SliceRead[]> {
  const reads: SliceRead[] = [];
  for (const [index, { from, to, unread }] of slices.entries()) {
    const entries = await db
      .select({
        scheduleId: scheduleReads.scheduleId,
        carId: scheduleReads.carId,
        start: scheduleReads.startAt,
        end: scheduleReads.endAt,
      })
      .from(scheduleReads)
      .where(and(eq(scheduleReads.run, run), eq(scheduleReads.slice, index)))
      .orderBy(scheduleReads.scheduleId);
    reads.push({ from, to, entries, unread });
  }
  return reads;
}
