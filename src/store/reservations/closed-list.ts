import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { Instant } from '../../domain/shared/time.js';
import { timestamptz } from '../columns.js';
import { CursorError } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { caseFiles } from '../schema.js';
import type { ListFilter, ListItem } from './list.js';
import { commonCondition, periodOf } from './list-columns.js';

/** Closed reservations, the last closed first. @throws CursorError */
export async function listClosed(db: HandoverDb, filter: ListFilter): Promise<ListPage<ListItem>> {
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
    .where(toCondition(filter))
    .orderBy(desc(caseFiles.closedAt), desc(caseFiles.reservationId))
    .limit(filter.limit + 1);
  const { items, ...rest } = page(rows, filter.limit, writeCursor, asOf);
  return { items: items.map(itemOf), ...rest };
}

function toCondition({ attention, cursor, ...common }: ListFilter): SQL | undefined {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  return and(
    commonCondition(caseFiles, common),
    attention === undefined ? undefined : hasItem(attention),
    before === undefined
      ? undefined
      : sql`(${caseFiles.closedAt}, ${caseFiles.reservationId}) < (${timestamptz(before.closedAt)}, ${before.reservationId}::bigint)`,
  );
}

const hasItem = (attention: NonNullable<ListFilter['attention']>) =>
  attention === 'any'
    ? sql`cardinality(${caseFiles.attention}) > 0`
    : sql`${attention} = any(${caseFiles.attention})`;

type Row = Omit<ListItem, 'period' | 'closed' | 'carNumber' | 'next' | 'owners'> & {
  startAt: number | null;
  endAt: number | null;
};

function itemOf({ reservationId, status, carId, companyId, startAt, endAt, attention }: Row): ListItem {
  const period = periodOf({ startAt, endAt });
  const ofOpenOnes = { carNumber: null, next: null, owners: {} };
  return { reservationId, status, carId, companyId, period, attention, ...ofOpenOnes, closed: true };
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
