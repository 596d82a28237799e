import { eq } from 'drizzle-orm';
import type { HandoverDb } from '../handover.js';
import { endedReservations } from '../schema.js';

/**
 * Reservations whose workflow was ended in Temporal before they were closed, also after Temporal has deleted it: callbacks do
 * not start them again.
 */
export interface EndedReservations {
  /** Idempotent: the first entry stays. @param code e.g. `WORKFLOW_TERMINATED` @param at an instant */
  note(reservationId: number, code: string, at: number): Promise<void>;
  has(reservationId: number): Promise<boolean>;
  /** Removes a reservation that runs again. */
  forget(reservationId: number): Promise<void>;
}

export function createEndedReservations(db: HandoverDb): EndedReservations {
  const is = (reservationId: number) => eq(endedReservations.reservationId, reservationId);
  return {
    async note(reservationId, code, at) {
      await db.insert(endedReservations).values({ reservationId, code, notedAt: at }).onConflictDoNothing();
    },
    async has(reservationId) {
      const found = await db
        .select({ code: endedReservations.code })
        .from(endedReservations)
        .where(is(reservationId));
      return found.length > 0;
    },
    async forget(reservationId) {
      await db.delete(endedReservations).where(is(reservationId));
    },
  };
}

/** Whether a reservation is over: it has its case file, or its workflow was ended before. */
export function isClosedBy(
  cases: Pick<EndedReservations, 'has'>,
  ended: Pick<EndedReservations, 'has'>,
): EndedReservations['has'] {
  return async (reservationId) => (await cases.has(reservationId)) || (await ended.has(reservationId));
}
