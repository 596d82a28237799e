import { eq, lte, sql } from 'drizzle-orm';
import { viewOfToday } from '../contract/older-view.js';
import type { CaseFile } from '../contract/reservation.js';
import type { HandoverDb } from '../db/handover.js';
import { caseFiles } from '../db/schema.js';
import type { ReservationView } from '../lifecycle/types.js';
import type { Sealer } from '../sealing/sealer.js';
import { type ClosedFilter, type ClosedItem, type ClosedPage, listClosed } from './list.js';

/** What is left of closed reservations beside their timelines and verdicts (L47); views are encrypted (L60). */
export interface CaseFiles {
  /**
   * Idempotent: the same closing again changes nothing. One that came later, for news reached the workflow while it
   * was about to end, replaces the earlier.
   */
  close(file: CaseFile): Promise<void>;
  /**
   * The final view; undefined: no such reservation was closed.
   * @throws `CodecError` where no key of ours opens it
   */
  view(reservationId: number): Promise<ReservationView | undefined>;
  has(reservationId: number): Promise<boolean>;
  /** The last closed first. @throws `CursorError` */
  list(filter: ClosedFilter): Promise<ClosedPage<ClosedItem>>;
}

export function createCaseFiles(db: HandoverDb, sealer: Sealer): CaseFiles {
  return {
    close: (file) => close(db, sealer, file),
    async view(reservationId) {
      const sealed = await db
        .select({ view: caseFiles.view })
        .from(caseFiles)
        .where(eq(caseFiles.reservationId, reservationId));
      const [found] = sealed;
      return found === undefined ? undefined : viewOfToday(JSON.parse(sealer.open(found.view).toString()));
    },
    async has(reservationId) {
      const found = await db
        .select({ id: caseFiles.reservationId })
        .from(caseFiles)
        .where(eq(caseFiles.reservationId, reservationId));
      return found.length > 0;
    },
    list: (filter) => listClosed(db, filter),
  };
}

async function close(db: HandoverDb, sealer: Sealer, file: CaseFile): Promise<void> {
  const { reservationId, closedAt, facts, view } = file;
  const content = {
    closedAt,
    status: facts.status,
    carId: facts.carId,
    companyId: facts.companyId,
    startAt: facts.period?.start ?? null,
    endAt: facts.period?.end ?? null,
    attention: facts.attention,
    view: sealer.seal(Buffer.from(JSON.stringify(view))),
  };
  await db
    .insert(caseFiles)
    .values({ reservationId, ...content })
    .onConflictDoUpdate({
      target: caseFiles.reservationId,
      set: content,
      // an attempt that was believed lost may arrive after its successor
      setWhere: lte(caseFiles.closedAt, sql`excluded.closed_at`),
    });
}
