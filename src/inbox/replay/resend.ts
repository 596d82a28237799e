import { sql } from 'drizzle-orm';
import { timestamptz } from '../../store/columns.js';
import type { Fence } from '../../store/connection/lease.js';
import { isHeld } from '../../store/connection/lease-holder.js';
import { rowsOf } from '../../store/connection/rows.js';
import type { HandoverDb } from '../../store/handover.js';
import { judgedWithinMs } from './candidates.js';

/** The wait for a verdict doubles with each repeat, up to this. */
const longestWaitMs = 6 * 3_600_000;
/** The most callbacks of one round: Temporal has new events to process too. */
const mostResent = 100;

/**
 * Makes callbacks wait for the relay again that were sent and got no verdict in time: Temporal lost them (it was restored or
 * failed over), or their workflow was terminated. Repeats are safe: the workflow recognises a duplicate, an event of a closed
 * reservation is recorded beside its case file, and those of a terminated workflow become dead letters.
 * @param now an instant
 * @returns how many
 */
export async function resendUnjudged(
  db: HandoverDb,
  { now, fence, most = mostResent }: { now: number; fence?: Fence; most?: number },
): Promise<number> {
  const at = timestamptz(now);
  // locks rows in the order of their ids, as the record step does
  const result = await db.execute(sql`
    with lost as (
      select id from inbox
      where state = 'sent' and ${isHeld(fence)} and coalesce(resent_at, sent_at) <= ${at}
        - least(${judgedWithinMs} * 2 ^ least(resends, 16), ${longestWaitMs}) * interval '1 millisecond'
      order by id limit ${most} for update
    )
    update inbox set state = 'received', resends = inbox.resends + 1, resent_at = ${at}
    from lost where inbox.id = lost.id
    returning 1`);
  return rowsOf(result).length;
}
