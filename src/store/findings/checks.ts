import { and, asc, gt, isNotNull, sql } from 'drizzle-orm';
import type { Notice } from '../../domain/reconciliation/index.js';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { scheduleChecks } from '../schema.js';
import { inBatches } from './in-batches.js';

/** The stored check of a reservation. */
export interface StoredCheck {
  reservationId: number;
  scheduleId: number | null;
  /** Mark of the notice that it last received; null: none yet. */
  notifiedMark: string | null;
  waiting: Notice | null;
}

type Tx = Pick<HandoverDb, 'execute' | 'select'>;

export async function readChecks(tx: Tx): Promise<Map<number, StoredCheck>> {
  const { reservationId, scheduleId, notifiedMark, waiting } = scheduleChecks;
  const rows = await tx.select({ reservationId, scheduleId, notifiedMark, waiting }).from(scheduleChecks);
  return new Map(rows.map((row) => [row.reservationId, row]));
}

/** Rules after whose timeline entries a value may be in doubt, or rest on a person's assertion (L05-L07, L10, L12-L14). */
const doubtfulRules = ['L05', 'L06', 'L07', 'L10', 'L12', 'L13', 'L14'];

/** Reservations whose period or car was reported since the last reading that they received (F47). */
export async function readReservationsWithNews(tx: Tx): Promise<Set<number>> {
  const rules = sql.join(
    doubtfulRules.map((rule) => sql`${rule}`),
    sql`, `,
  );
  const result = await tx.execute(sql`
    select c.reservation_id as id from schedule_checks c
    where c.told_at is not null and exists (
      select from timeline t
      where t.reservation_id = c.reservation_id and t.at >= c.told_at and t.kind in ('event', 'decision')
        and t.rule in (${rules}) and not t.data ? 'scheduleId')`);
  return new Set(rowsOf<{ id: unknown }>(result).map(({ id }) => Number(id)));
}

/** Writes the changed checks; deletes those of reservations that are not among `known`. */
export async function writeChecks(
  tx: Tx,
  changed: readonly Omit<StoredCheck, 'notifiedMark'>[],
  known: readonly number[],
): Promise<void> {
  await inBatches(changed, (batch) =>
    tx.execute(sql`
      insert into schedule_checks (reservation_id, schedule_id, waiting)
      select one."reservationId", one."scheduleId", nullif(one.waiting, 'null'::jsonb)
      from jsonb_to_recordset(${batch}::text::jsonb)
           as one("reservationId" bigint, "scheduleId" bigint, waiting jsonb)
      on conflict (reservation_id) do update set schedule_id = excluded.schedule_id, waiting = excluded.waiting`),
  );
  await tx.execute(sql`
    delete from schedule_checks where not exists (
      select from jsonb_array_elements(${JSON.stringify(known)}::text::jsonb) as id
      where id::text::bigint = schedule_checks.reservation_id)`);
}

/** The next notices that wait to be sent, by ascending id. */
export async function waitingNotices(
  db: HandoverDb,
  { after, limit }: { after: number; limit: number },
): Promise<{ reservationId: number; notice: Notice }[]> {
  const rows = await db
    .select({ reservationId: scheduleChecks.reservationId, notice: scheduleChecks.waiting })
    .from(scheduleChecks)
    .where(and(isNotNull(scheduleChecks.waiting), gt(scheduleChecks.reservationId, after)))
    .orderBy(asc(scheduleChecks.reservationId))
    .limit(limit);
  return rows.flatMap(({ reservationId, notice }) => (notice === null ? [] : [{ reservationId, notice }]));
}

/** Records that reservations were notified; a newer notice that waits by now stays. */
export async function markNotified(
  db: HandoverDb,
  notices: readonly { reservationId: number; notice: Notice }[],
): Promise<void> {
  const notified = notices.map(({ reservationId, notice }) => ({
    reservationId,
    mark: notice.mark,
    at: notice.evidence.at,
  }));
  await inBatches(notified, (batch) =>
    db.execute(sql`
      update schedule_checks set told = one.mark, told_at = to_timestamp(one.at / 1000.0), waiting = null
      from jsonb_to_recordset(${batch}::text::jsonb) as one("reservationId" bigint, mark text, at float8)
      where schedule_checks.reservation_id = one."reservationId"
        and schedule_checks.waiting ->> 'mark' = one.mark
        and (schedule_checks.waiting -> 'evidence' ->> 'at')::float8 = one.at`),
  );
}
