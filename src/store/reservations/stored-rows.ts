import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ListRow } from '../../domain/reservation/types.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles, listsCompleted, openReservations as row, unlistedReservations } from '../schema.js';
import type { OpenRows } from './open-rows.js';
import { writeTogether } from './record.js';
import { unitePersons } from './united-persons.js';

/** The rows of lists, for those that bring them in line with the workflows. */
export interface StoredRows {
  /** The sequence of each, by reservation. */
  sequences(): Promise<Map<number, number>>;
  /** Those of these reservations that have a row. */
  having(reservationIds: readonly number[]): Promise<Set<number>>;
  /**
   * Unless what is stored is of a later state, or the reservation has been closed since.
   * @param before the sequence of the stored row before the workflow was queried: where that is still stored, this row replaces it in any case,
   * because the workflow was reset or lost state
   */
  write(reservationId: number, row: ListRow, before?: number): Promise<void>;
  /** Whether lists are complete. */
  areComplete(): Promise<boolean>;
  /** From now on lists are complete. */
  markComplete(): Promise<void>;
  /** Unless it is of a later state than this one. An erasure still finds it. */
  remove(reservationId: number, sequence: number): Promise<void>;
}

export function createStoredRows(db: HandoverDb, openRows: OpenRows): StoredRows {
  return {
    async sequences() {
      const stored = await db.select({ id: row.reservationId, sequence: row.sequence }).from(row);
      return new Map(stored.map(({ id, sequence }) => [id, sequence]));
    },
    async having(reservationIds) {
      const stored = await db
        .select({ id: row.reservationId })
        .from(row)
        .where(inArray(row.reservationId, [...reservationIds]));
      return new Set(stored.map(({ id }) => id));
    },
    async write(reservationId, shown, before = 0) {
      if (before > shown.sequence)
        await db
          .update(row)
          .set({ sequence: shown.sequence })
          .where(and(eq(row.reservationId, reservationId), eq(row.sequence, before)));
      await writeTogether(db, [{ reservationId, verdicts: [], entries: [], row: shown }], { openRows });
    },
    async areComplete() {
      return (await db.select().from(listsCompleted)).length > 0;
    },
    async markComplete() {
      await db.insert(listsCompleted).values({}).onConflictDoNothing();
    },
    async remove(reservationId, sequence) {
      await db.execute(sql`
        with removed as (
          delete from ${row} where reservation_id = ${reservationId} and sequence <= ${sequence}
          returning reservation_id, coalesce(persons, names) as persons)
        insert into ${unlistedReservations} (reservation_id, persons)
        select reservation_id, persons from removed
        where not exists (select from ${caseFiles} c where c.reservation_id = removed.reservation_id)
        on conflict (reservation_id) do update
          set persons = ${unitePersons(unlistedReservations.persons, sql`excluded.persons`)}, removed_at = now()`);
    },
  };
}
