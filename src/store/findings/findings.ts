import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import {
  countsFromReads,
  type FindingKind,
  type OpenFinding,
  type Review,
} from '../../domain/reconciliation/index.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { type FindingState, findings } from '../schema.js';
import { inBatches } from './in-batches.js';

/** A difference between the schedule and the reservations. Times are instants. */
export interface Finding {
  id: number;
  kind: FindingKind;
  state: FindingState;
  scheduleId: number | null;
  carId: number;
  startAt: number;
  endAt: number;
  reservationId: number | null;
  firstSeenAt: number;
  lastSeenAt: number;
  reads: number;
  closedAt: number | null;
}

export interface FindingFilter {
  kind?: FindingKind;
  state?: FindingState;
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

type Tx = Pick<HandoverDb, 'execute' | 'select' | 'update' | 'delete' | '$count'>;
/** How long findings that are over are stored. */
const retentionMs = 90 * 24 * 3_600_000;

/** Newest first. */
export async function listFindings(
  db: HandoverDb,
  { kind, state, cursor, limit }: FindingFilter,
): Promise<ListPage<Finding>> {
  const asOf = Date.now();
  const rows = await db
    .select()
    .from(findings)
    .where(
      and(
        kind === undefined ? undefined : eq(findings.kind, kind),
        state === undefined ? undefined : eq(findings.state, state),
        cursor === undefined ? undefined : lt(findings.id, Number(cursor)),
      ),
    )
    .orderBy(desc(findings.id))
    .limit(limit + 1);
  return page(rows, limit, ({ id }) => id, asOf);
}

/** Undefined: there is no such finding. */
export async function readFinding(db: HandoverDb, id: number): Promise<Finding | undefined> {
  const [found] = await db.select().from(findings).where(eq(findings.id, id));
  return found;
}

/** Findings that are not over. */
export async function openFindings(tx: Tx): Promise<OpenFinding[]> {
  const {
    id,
    kind,
    scheduleId,
    carId,
    startAt: start,
    endAt: end,
    reservationId,
    reads,
    lastSeenAt,
  } = findings;
  return tx
    .select({ id, kind, scheduleId, carId, start, end, reservationId, reads, lastSeenAt })
    .from(findings)
    .where(isNull(findings.closedAt))
    .orderBy(findings.id);
}

/** Writes the review of a reading that began at `at`; a finding that was seen only once and is gone is deleted. */
export async function putReview(tx: Tx, { fresh, again, gone }: Review, at: number): Promise<void> {
  const moment = sql`to_timestamp(${at / 1000}::float8)`;
  await inBatches(fresh, (batch) =>
    tx.execute(sql`
      insert into findings (kind, state, schedule_id, car_id, start_at, end_at, reservation_id, first_seen_at, last_seen_at, reads)
      select one.kind, 'seen', one."scheduleId", one."carId", to_timestamp(one.start / 1000.0),
             to_timestamp(one."end" / 1000.0), one."reservationId", ${moment}, ${moment}, 1
      from jsonb_to_recordset(${batch}::text::jsonb)
           as one(kind text, "scheduleId" bigint, "carId" bigint, start float8, "end" float8, "reservationId" bigint)`),
  );
  await inBatches(again, (batch) =>
    tx.execute(sql`
      update findings set schedule_id = one."scheduleId", car_id = one."carId",
        start_at = to_timestamp(one.start / 1000.0), end_at = to_timestamp(one."end" / 1000.0),
        reads = one.reads, last_seen_at = ${moment},
        state = case when one.reads >= ${countsFromReads}::integer then 'open' else 'seen' end
      from jsonb_to_recordset(${batch}::text::jsonb)
           as one(id bigint, "scheduleId" bigint, "carId" bigint, start float8, "end" float8, reads integer)
      where findings.id = one.id and findings.closed_at is null`),
  );
  for (let from = 0; from < gone.length; from += 1_000) {
    const ids = gone.slice(from, from + 1_000);
    await tx.delete(findings).where(and(inArray(findings.id, ids), eq(findings.state, 'seen')));
    await tx
      .update(findings)
      .set({ state: 'gone', closedAt: at })
      .where(and(inArray(findings.id, ids), isNull(findings.closedAt)));
  }
  await tx.delete(findings).where(lt(findings.closedAt, at - retentionMs));
}

/** Entries of the schedule that are seen often enough to count, and have no reservation. */
export function countUndiscovered(tx: Tx): Promise<number> {
  return tx.$count(findings, and(eq(findings.kind, 'undiscovered'), eq(findings.state, 'open')));
}
