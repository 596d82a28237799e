import { sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';

/** What the database holds of one reservation, besides its case file. */
export interface Traces {
  /** Acknowledged events that wait for the relay, or that it sent and has not marked yet. */
  waiting: boolean;
  /** Events that were sent to its workflow and have no verdict yet. */
  sent: boolean;
  /** Events that the relay gave up. */
  dead: boolean;
  /** It has timeline entries, so its workflow ran. */
  recorded: boolean;
}

export interface InboxTraces {
  read(reservationId: number): Promise<Traces>;
}

/** Reads them in one statement, each by an index. */
export function createInboxTraces(db: HandoverDb): InboxTraces {
  return {
    async read(reservationId) {
      const result = await db.execute(sql`
        select
          exists (select 1 from inbox where reservation_id = ${reservationId} and state = 'received') as waiting,
          exists (select 1 from inbox where reservation_id = ${reservationId} and state = 'sent') as sent,
          exists (select 1 from inbox where reservation_id = ${reservationId} and state = 'dead') as dead,
          exists (select 1 from timeline where reservation_id = ${reservationId}) as recorded`);
      const [traces] = rowsOf<Traces>(result);
      if (traces === undefined) throw new Error('the database gave no row');
      return traces;
    },
  };
}
