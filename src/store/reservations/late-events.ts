import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { afterClosing, type Policy, type ReservationEvent, toEntry } from '../../domain/reservation/index.js';
import type { OnJudged } from '../callbacks/types.js';
import type { Fence } from '../connection/lease.js';
import { isHeld } from '../connection/lease-holder.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles, inbox } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { writeTogether } from './record.js';

/**
 * Records the verdict of events of a closed reservation, and their timeline entries. `now`: an instant. `fence`: that of the
 * relay.
 */
export type RecordLate = (
  reservationId: number,
  events: ReservationEvent[],
  now: number,
  fence?: Fence,
) => Promise<void>;

/**
 * L08: a closed reservation stays closed. Its workflow has ended, so only late events add timeline entries: under a lock each
 * gets the next free number. An event that has its verdict already, or was replayed meanwhile, gets no second entry.
 *
 * @param sealer encrypts posts; absent: nothing is posted
 * @param onJudged for metrics
 */
export function createLateEvents(
  db: HandoverDb,
  fromStates: Policy['fromStates'],
  sealer?: Pick<Sealer, 'seal'>,
  onJudged?: OnJudged,
): RecordLate {
  return async (reservationId, events, now, fence) => {
    const late = await db.transaction(async (tx) => {
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
      const entries = late.map((event, place) =>
        // its sentence has no time in it
        toEntry(afterClosing(event, closed, fromStates, now), place + 1, now, 0),
      );
      const judged = { verdict: 'after-terminal' as const, rule: 'L08' };
      const verdicts = late.map(({ inboxId, replay }) =>
        replay === undefined ? { inboxId, ...judged } : { inboxId, replay, ...judged },
      );
      await writeTogether(tx, [{ reservationId, verdicts, entries }], { sealer });
      return late;
    });
    // a replay waits since its order, which the event does not state
    const first = late.filter(({ replay }) => replay === undefined);
    onJudged?.(first.map(({ receivedAt }) => ({ verdict: 'after-terminal', receivedAt, isReplay: false })));
  };
}
