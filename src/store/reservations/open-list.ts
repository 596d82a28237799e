import { createHash } from 'node:crypto';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Instant } from '../../domain/shared/time.js';
import { CursorError } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { openReservations as row } from '../schema.js';
import type { ListItem, OpenFilter } from './list.js';
import { ownersOf, periodOf } from './list-columns.js';
import { type OpenCondition, openCondition } from './open-condition.js';
import type { OpenRows, RowHashes } from './open-rows.js';

/** The order of the index. */
const start = sql`coalesce(${row.startAt}, 'infinity'::timestamptz)`;

/** Open reservations by the start of their period; those without one last. @throws CursorError */
export async function listOpen(
  db: HandoverDb,
  openRows: RowHashes & Pick<OpenRows, 'open'>,
  { limit, cursor, ...filter }: OpenFilter,
): Promise<ListPage<ListItem> & { count: number }> {
  const asOf = Date.now();
  const matches = openCondition(filter, openRows);
  const hash = hashOfFilter(filter);
  const after = cursor === undefined ? undefined : behind(readCursor(cursor, hash));
  const [rows, count] = await Promise.all([
    db
      .select({
        reservationId: row.reservationId,
        status: row.status,
        carId: row.carId,
        companyId: row.companyId,
        startAt: row.startAt,
        endAt: row.endAt,
        attention: row.attention,
        next: row.next,
        owners: ownersOf(sql`${row}.reservation_id`),
        personal: row.personal,
      })
      .from(row)
      .where(and(matches, after))
      .orderBy(start, row.reservationId)
      .limit(limit + 1),
    db.$count(row, matches),
  ]);
  const keyOf = ({ startAt, reservationId }: Place) => `${hash}.${startAt ?? ''}.${reservationId}`;
  const { items, ...more } = page(rows, limit, keyOf, asOf);
  const listed = items.map(({ startAt, endAt, attention, personal, ...rest }) => ({
    ...rest,
    carNumber: openRows.open(rest.reservationId, personal).carNumber,
    period: periodOf({ startAt, endAt }),
    attention: attention.map(({ kind }) => kind),
    closed: false,
  }));
  return { items: listed, ...more, count };
}

interface Place {
  startAt: Instant | null;
  reservationId: number;
}

function behind({ startAt, reservationId }: Place): SQL {
  const at = startAt === null ? 'infinity' : new Date(startAt).toISOString();
  return sql`(${start}, ${row.reservationId}) > (${at}::timestamptz, ${reservationId}::bigint)`;
}

/** A cursor fits the list that gave it alone. */
function readCursor(cursor: string, hash: string): Place {
  const [, of, startAt, reservationId] = /^([0-9a-f]{12})\.(-?\d{1,15}|)\.(\d{1,16})$/.exec(cursor) ?? [];
  const place = { startAt: startAt === '' ? null : Number(startAt), reservationId: Number(reservationId) };
  const isInstant = place.startAt === null || Math.abs(place.startAt) <= latestInstant;
  if (of !== hash || !isInstant || !Number.isSafeInteger(place.reservationId)) throw new CursorError();
  return place;
}
const latestInstant = 8.64e15;

function hashOfFilter(filter: OpenCondition): string {
  const sorted = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}
