import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { afterClosing, type Policy, type ReservationEvent } from '../../domain/reservation/index.js';
import type { Fence } from '../connection/lease.js';
import { isHeld } from '../connection/lease-holder.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles, inbox } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { writeTogether } from './record.js';

/**
 * Gives events of a closed reservation their verdict and their line beside the case file. `now`: an instant. `fence`: of the relay
 * that records them.
 */
export type RecordLate = (
  reservationId: number,
  events: ReservationEvent[],
  now: number,
  fence?: Fence,
) => Promise<void>;

/**
 * L08: a closed reservation stays closed. The workflow has ended, so no other process writes entries of this reservation but other
 * late events: they take turns, and each takes the next free number. An event that has its verdict, or is read anew meanwhile, gets
 * no second line.
 *
 * @param sealer encrypts posts; absent: nothing is posted
 */
export function createLateEvents(
  db: HandoverDb,
  fromStates: Policy['fromStates'],
  sealer?: Pick<Sealer, 'seal'>,
): RecordLate {
  return (reservationId, events, now, fence) =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`timeline ${reservationId}`}, 0))`,
      );
      const ids = events.map(({ inboxId }) => inboxId);
      const [open, [file]] = [
        await tx
          .select({ id: inbox.id, replays: inbox.replays })
          .from(inbox)
          .where(and(inArray(inbox.id, ids), ne(inbox.state, 'done'), isHeld(fence))),
        await tx
          .select({ status: caseFiles.status })
          .from(caseFiles)
          .where(eq(caseFiles.reservationId, reservationId)),
      ];
      const closed = { reservationId, status: file?.status ?? null };
      const late = events.filter(({ inboxId, replay = 0 }) =>
        open.some(({ id, replays }) => id === inboxId && replays === replay),
      );
      const entries = late.map((event, place) => ({
        seq: place + 1,
        at: now,
        data: {},
        ...afterClosing(event, closed, fromStates, now),
      }));
      const judged = { verdict: 'after-terminal' as const, rule: 'L08' };
      const verdicts = late.map(({ inboxId, replay }) =>
        replay === undefined ? { inboxId, ...judged } : { inboxId, replay, ...judged },
      );
      await writeTogether(tx, [{ reservationId, verdicts, entries }], { sealer });
    });
}
