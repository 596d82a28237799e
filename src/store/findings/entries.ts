import { sql } from 'drizzle-orm';
import type { DatedSlice, UnreadOf } from '../../domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../domain/reservation/types.js';
import { timestamptz } from '../columns.js';
import type { HandoverDb } from '../handover.js';
import { scheduleEntries as row } from '../schema.js';
import { inBatches } from './in-batches.js';

const shownForMs = 30 * 86_400_000;
/** A later reading than this one is so much later at most; what is later still had a clock that was ahead. */
const readsWithinMs = 600_000;

/**
 * Stores the S entries that a reading found in the days of a slice, in place of those that it had before (F41). What could not be read
 * stays as it was, and so does what a later reading had.
 * @param at instant of the reading
 */
export async function storeEntries(
  db: HandoverDb,
  { from, to, unread }: Pick<DatedSlice, 'from' | 'to'> & { unread: UnreadOf | null },
  entries: readonly ScheduleEntry[],
  at: number,
): Promise<void> {
  const isUnread = Array.isArray(unread)
    ? sql`${row.carId} = any(${`{${unread}}`}::bigint[])`
    : sql`${unread === 'any'}`;
  const hasLater = sql`${row.readAt} > ${timestamptz(at)} and ${row.readAt} <= ${timestamptz(at + readsWithinMs)}`;
  await db.transaction(async (tx) => {
    await tx.delete(row).where(sql`
      ${row.endAt} < ${timestamptz(at - shownForMs)}
      or (${row.startAt} < ${timestamptz(to)} and ${row.endAt} > ${timestamptz(from)} and not (${hasLater})
        and not ${isUnread})`);
    await inBatches(entries, (batch) =>
      tx.execute(sql`
        insert into ${row} (schedule_id, car_id, start_at, end_at, read_at)
        select distinct on (one."scheduleId") one."scheduleId", one."carId", to_timestamp(one.start / 1000.0), to_timestamp(one."end" / 1000.0), ${timestamptz(at)}
        from jsonb_to_recordset(${batch}::text::jsonb)
             as one("scheduleId" bigint, "carId" bigint, start float8, "end" float8)
        order by one."scheduleId"
        on conflict (schedule_id) do update set car_id = excluded.car_id, start_at = excluded.start_at,
          end_at = excluded.end_at, read_at = excluded.read_at
          where not (${hasLater})`),
    );
  });
}
