import { and, arrayOverlaps, eq, gte, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AttentionKind } from '../../domain/reservation/types.js';
import { attentionClaims, openReservations as row } from '../schema.js';
import type { OpenFilter } from './list.js';
import { commonCondition } from './list-columns.js';
import type { RowHashes } from './open-rows.js';

export type OpenCondition = Omit<OpenFilter, 'limit' | 'cursor'>;

const hasItem = (kind: AttentionKind | 'any') =>
  kind === 'any'
    ? sql`${row.attention} <> '[]'` // as its index has it
    : sql`${row.attention} @> ${JSON.stringify([{ kind }])}::text::jsonb`;

/** Which rows of open reservations match. */
export function openCondition(
  { productId, attention, carNumber, since, next, owner, involved, q, person, ...common }: OpenCondition,
  { plates, names, staff }: RowHashes,
): SQL | undefined {
  const hasPlate = (text: string) => {
    const { column, hashes } = plates(text);
    return inArray(row[column], hashes);
  };
  return and(
    commonCondition(row, common),
    productId === undefined ? undefined : eq(row.productId, productId),
    attention === undefined ? undefined : hasItem(attention),
    carNumber === undefined ? undefined : hasPlate(carNumber),
    since === undefined ? undefined : gte(row.writtenAt, since),
    next === undefined ? undefined : eq(row.next, next),
    owner === undefined ? undefined : isClaimedBy(owner),
    involved === undefined
      ? undefined
      : or(
          isClaimedBy(involved.owner),
          involved.staff === undefined ? undefined : arrayOverlaps(row.names, staff(involved.staff)),
        ),
    person === undefined ? undefined : arrayOverlaps(row.names, names(person)),
    q === undefined
      ? undefined
      : or(/^\d{1,15}$/.test(q) ? eq(row.reservationId, Number(q)) : undefined, hasPlate(q)),
  );
}

function isClaimedBy(owner: string): SQL {
  return sql`exists (select from ${attentionClaims} c where c.reservation_id = ${row.reservationId} and c.owner = ${owner})`;
}
