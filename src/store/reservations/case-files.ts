import { eq, sql } from 'drizzle-orm';
import { viewOfToday } from '../../contract/older-view.js';
import type { CaseFile } from '../../contract/reservation.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import type { KeyMark } from '../../domain/shared/idempotency.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles, openReservations } from '../schema.js';
import type { CodecKey } from '../sealing/codec-key.js';
import { createPersonHashes, type PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { unitePersons } from './united-persons.js';

/** What is stored of closed reservations beside their timelines and verdicts (L47); views are encrypted (L60). */
export interface CaseFiles {
  /**
   * Idempotent. A later case file replaces the earlier: news may reach the workflow while it is about to end.
   * Deletes what lists of open reservations show of it; by the persons of that row, and of an earlier case file, it is still found.
   */
  close(file: CaseFile): Promise<void>;
  /**
   * The final view; undefined: no such reservation was closed.
   * @throws `CodecError` where no key of ours opens it
   */
  view(reservationId: number): Promise<ReservationView | undefined>;
  /** Marks of the newest settlements and commands (L21); empty where there were none, or 0.2.0 closed it. @throws `CodecError` */
  decisionMarks(reservationId: number): Promise<KeyMark[]>;
  has(reservationId: number): Promise<boolean>;
}

/** What a case file's encrypted column holds. */
export type StoredView = ReservationView &
  Pick<CaseFile, 'settledMarks'> & {
    /** Hashes of photos of an erased reservation that are not deleted yet. */
    photosLeft?: readonly string[] | undefined;
  };

/** @param keys of the hashes by which persons are found */
export function createCaseFiles(db: HandoverDb, sealer: Sealer, keys: readonly CodecKey[]): CaseFiles {
  const hashes = createPersonHashes(keys);
  const read = async (reservationId: number): Promise<StoredView | undefined> => {
    const [found] = await db
      .select({ view: caseFiles.view })
      .from(caseFiles)
      .where(eq(caseFiles.reservationId, reservationId));
    if (found === undefined) return undefined;
    return JSON.parse(sealer.open(found.view, rowOf(reservationId)).toString());
  };
  return {
    close: (file) => close({ db, sealer, hashes }, file),
    async view(reservationId) {
      const stored = await read(reservationId);
      if (stored === undefined) return undefined;
      const { settledMarks: _, photosLeft: __, ...view } = stored;
      return viewOfToday(view);
    },
    decisionMarks: async (reservationId) => (await read(reservationId))?.settledMarks ?? [],
    async has(reservationId) {
      const found = await db
        .select({ id: caseFiles.reservationId })
        .from(caseFiles)
        .where(eq(caseFiles.reservationId, reservationId));
      return found.length > 0;
    },
  };
}

/** The row that the sealed view is bound to. */
export const rowOf = (reservationId: number) => `case_files/${reservationId}`;

/** Hashes of the persons that a view names. */
export const hashesOfView = (hashes: Pick<PersonHashes, 'stored'>, view: ReservationView) =>
  hashes.stored([view.driver ?? {}, view.companion ?? {}]);

async function close(
  { db, sealer, hashes }: { db: HandoverDb; sealer: Sealer; hashes: PersonHashes },
  file: CaseFile,
): Promise<void> {
  const { reservationId, closedAt, facts, view, settledMarks } = file;
  const stored: StoredView = { ...view, ...(settledMarks !== undefined && { settledMarks }) };
  const content = {
    closedAt,
    status: facts.status,
    carId: facts.carId,
    companyId: facts.companyId,
    startAt: facts.period?.start ?? null,
    endAt: facts.period?.end ?? null,
    attention: facts.attention,
    view: sealer.seal(Buffer.from(JSON.stringify(stored)), rowOf(reservationId)),
  };
  const ofView = sql`${sql.param(hashesOfView(hashes, view), caseFiles.persons)}::text[]`;
  const ofRow = sql`coalesce((select persons from removed), '{}')`;
  const written = db
    .insert(caseFiles)
    .values({ reservationId, ...content, persons: unitePersons(ofRow, ofView) })
    .onConflictDoUpdate({
      target: caseFiles.reservationId,
      set: { ...content, persons: unitePersons(caseFiles.persons, sql`excluded.persons`) },
      // a delayed attempt may arrive after its successor, or after an erasure
      setWhere: sql`${caseFiles.closedAt} <= excluded.closed_at and ${caseFiles.erasedAt} is null`,
    });
  const row = openReservations;
  const isOpen = sql`${row.reservationId} = ${reservationId} and ${row.sequence} <= ${closedAt}`;
  await db.execute(sql`
    with removed as (delete from ${row} where ${isOpen} returning ${row.persons}) ${written.getSQL()}`);
}
