import { type AnyColumn, and, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Instant, Period } from '../../domain/shared/time.js';
import { attentionClaims } from '../schema.js';
import type { ListFilter, Owners } from './list.js';

/** Columns that rows of open and of closed reservations have under the same names. */
type ListColumns = Record<'status' | 'carId' | 'startAt' | 'endAt', AnyColumn>;

/** The condition of what both lists filter by in the same way. */
export function commonCondition(
  row: ListColumns,
  { status, carId, from, to }: Pick<ListFilter, 'status' | 'carId' | 'from' | 'to'>,
): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(row.status, status),
    carId === undefined ? undefined : eq(row.carId, carId),
    to === undefined ? undefined : lt(row.startAt, to),
    from === undefined ? undefined : gt(row.endAt, from),
  );
}

/** Null: not known. */
export function periodOf({ startAt, endAt }: Record<'startAt' | 'endAt', Instant | null>): Period | null {
  return startAt === null || endAt === null ? null : { start: startAt, end: endAt };
}

/** Who claimed the attention items of an open reservation, by their kind. */
export const ownersOf = (reservationId: SQL) => sql<Owners>`coalesce((
  select jsonb_object_agg(c.kind, c.owner) from ${attentionClaims} c where c.reservation_id = ${reservationId}), '{}')`;
