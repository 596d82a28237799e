import { sql } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { openReservations } from '../schema.js';

/** Open reservations of one status; null: it is not known. */
export interface CountedReservations {
  status: number | null;
  open: number;
  /** Of these, how many have an attention item. */
  withAttention: number;
}

/** Reads every row: a caller shares the answer for a while. */
export async function countOpenReservations(db: HandoverDb): Promise<CountedReservations[]> {
  const { status, attention } = openReservations;
  return db
    .select({
      status,
      open: sql<number>`count(*)`.mapWith(Number),
      withAttention: sql<number>`count(*) filter (where jsonb_array_length(${attention}) > 0)`.mapWith(
        Number,
      ),
    })
    .from(openReservations)
    .groupBy(status);
}
