import { and, gt, inArray } from 'drizzle-orm';
import { openReservations } from '../schema.js';
import { hasTexts } from './delete-texts.js';
import { scopesOf } from './erase-rows.js';
import { erasedScopes } from './subjects.js';
import type { Target } from './targets.js';
import type { Tx } from './types.js';

/** What another erasure has not erased meanwhile. */
export async function withoutErased<T extends Target>(tx: Tx, targets: readonly T[]): Promise<T[]> {
  const done = await erasedScopes(tx, {
    reservations: targets.flatMap(({ reservationId }) => reservationId ?? []),
    bookings: targets.flatMap(({ bookings }) => bookings),
    holds: targets.flatMap(({ holds }) => holds),
  });
  const left: T[] = [];
  for (const target of targets) {
    const { reservationId, isErased = false } = target;
    const hasRest =
      isErased && reservationId !== null
        ? await hasTexts(tx, reservationId)
        : !done.has(scopesOf(target)[0] ?? '');
    if (hasRest) left.push(target);
  }
  return left;
}

/** Those that run again: their workflow has written their row since. @param since an instant, by the database's clock */
export async function writtenSince<T extends Target>(
  tx: Tx,
  targets: readonly T[],
  since: number,
): Promise<Set<T>> {
  const ids = targets.flatMap(({ reservationId }) => reservationId ?? []);
  const rows = await tx
    .select({ id: openReservations.reservationId })
    .from(openReservations)
    .where(and(inArray(openReservations.reservationId, ids), gt(openReservations.writtenAt, since)));
  const written = new Set(rows.map(({ id }) => id));
  return new Set(targets.filter(({ reservationId }) => reservationId !== null && written.has(reservationId)));
}
