import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { AttentionKind } from '../../domain/reservation/types.js';
import type { Instant, Period } from '../../domain/shared/time.js';
import { CursorError } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles } from '../schema.js';

/** One closed reservation of a list: nothing personal (L60). */
export interface ClosedItem {
  reservationId: number;
  status: number | null;
  carId: number | null;
  companyId: number | null;
  period: Period | null;
  /** What was still open at the end. */
  attention: AttentionKind[];
  closed: true;
}

export interface ClosedFilter {
  status?: number;
  carId?: number;
  attention?: AttentionKind;
  /** The period overlaps [from, to); one that is not known overlaps nothing. */
  from?: Instant;
  to?: Instant;
  /** From the page before. */
  cursor?: string;
  limit: number;
}

export interface ClosedPage<T> {
  items: T[];
  nextCursor: string | null;
  asOf: Instant;
}

/** Closed reservations, the last closed first. @throws CursorError */
export async function listClosed(db: HandoverDb, filter: ClosedFilter): Promise<ClosedPage<ClosedItem>> {
  const asOf = Date.now();
  const rows = await db
    .select({
      reservationId: caseFiles.reservationId,
      closedAt: caseFiles.closedAt,
      status: caseFiles.status,
      carId: caseFiles.carId,
      companyId: caseFiles.companyId,
      startAt: caseFiles.startAt,
      endAt: caseFiles.endAt,
      attention: caseFiles.attention,
    })
    .from(caseFiles)
    .where(matching(filter))
    .orderBy(desc(caseFiles.closedAt), desc(caseFiles.reservationId))
    .limit(filter.limit + 1);
  const items = rows.slice(0, filter.limit);
  const last = items.at(-1);
  const nextCursor = rows.length > filter.limit && last !== undefined ? writeCursor(last) : null;
  return { items: items.map(itemOf), nextCursor, asOf };
}

function matching({ status, carId, attention, from, to, cursor }: ClosedFilter): SQL | undefined {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  return and(
    status === undefined ? undefined : eq(caseFiles.status, status),
    carId === undefined ? undefined : eq(caseFiles.carId, carId),
    attention === undefined ? undefined : sql`${attention} = any(${caseFiles.attention})`,
    to === undefined ? undefined : lt(caseFiles.startAt, to),
    from === undefined ? undefined : gt(caseFiles.endAt, from),
    before === undefined
      ? undefined
      : sql`(${caseFiles.closedAt}, ${caseFiles.reservationId}) < (${new Date(before.closedAt).toISOString()}::timestamptz, ${before.reservationId}::bigint)`,
  );
}

type Row = Omit<ClosedItem, 'period' | 'closed'> & { startAt: number | null; endAt: number | null };

function itemOf({ reservationId, status, carId, companyId, startAt, endAt, attention }: Row): ClosedItem {
  const period = startAt === null || endAt === null ? null : { start: startAt, end: endAt };
  return { reservationId, status, carId, companyId, period, attention, closed: true };
}

interface Place {
  closedAt: Instant;
  reservationId: number;
}

function writeCursor({ closedAt, reservationId }: Place): string {
  return `closed.${closedAt}.${reservationId}`;
}

function readCursor(cursor: string): Place {
  const [, closedAt, reservationId] = /^closed\.(\d{1,14})\.(\d{1,16})$/.exec(cursor) ?? [];
  const place = {
    closedAt: Number(closedAt ?? Number.NaN),
    reservationId: Number(reservationId ?? Number.NaN),
  };
  if (!Number.isSafeInteger(place.reservationId)) throw new CursorError();
  return place;
}
