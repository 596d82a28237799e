import { and, eq, lte } from 'drizzle-orm';
import type { ListRow } from '../../domain/reservation/types.js';
import type { HandoverDb } from '../handover.js';
import { openReservations as row } from '../schema.js';
import type { OpenRows } from './open-rows.js';
import { writeTogether } from './record.js';

/** The rows of lists, for those that bring them in line with the workflows. */
export interface StoredRows {
  /** The sequence of each, by reservation. */
  sequences(): Promise<Map<number, number>>;
  /** Unless what is stored is of a later state, or the reservation has been closed since. */
  write(reservationId: number, row: ListRow): Promise<void>;
  /** Unless it is of a later state than this one. */
  remove(reservationId: number, sequence: number): Promise<void>;
}

export function createStoredRows(db: HandoverDb, openRows: OpenRows): StoredRows {
  return {
    async sequences() {
      const stored = await db.select({ id: row.reservationId, sequence: row.sequence }).from(row);
      return new Map(stored.map(({ id, sequence }) => [id, sequence]));
    },
    write: (reservationId, shown) =>
      writeTogether(db, [{ reservationId, verdicts: [], entries: [], row: shown }], { openRows }),
    async remove(reservationId, sequence) {
      await db.delete(row).where(and(eq(row.reservationId, reservationId), lte(row.sequence, sequence)));
    },
  };
}
