import { and, gt, isNull } from 'drizzle-orm';
import type { ReservationView } from '../../domain/reservation/types.js';
import type { HandoverDb } from '../handover.js';
import { rowOf } from '../reservations/case-files.js';
import { caseFiles, endedReservations, openReservations } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { photoHashesOf } from './subjects.js';
import { openJson } from './unreadable.js';

interface PhotoUsesDeps {
  db: HandoverDb;
  sealer: Pick<Sealer, 'open'>;
  /** Of a reservation without a case file; undefined: Temporal has none. */
  viewOf(reservationId: number): Promise<ReservationView | undefined>;
}

/** Reservations by the hashes of their photos. */
type Uses = Map<string, Set<number>>;

const freshForMs = 60_000;
const filesAtOnce = 200;

/**
 * Whether another reservation has the photo of one that is being erased: 0.3.0, and `CODEC_DATA_KEYS=off`, store equal photos once.
 * No index has this, so every view is read, once a minute at most.
 * @throws what the database, or `viewOf`, throws: what cannot be read now may have the photo
 */
export function createPhotoUses(
  deps: PhotoUsesDeps,
): (hash: string, reservationId: number) => Promise<boolean> {
  /** Their rows may still show their photos: the last of several that share one deletes it. */
  const leaving = new Set<number>();
  let last: { at: number; uses: Promise<Uses> } | undefined;
  return async (hash, reservationId) => {
    leaving.add(reservationId);
    if (last === undefined || Date.now() - last.at > freshForMs)
      last = { at: Date.now(), uses: readUses(deps) };
    const { uses } = last;
    uses.catch(() => {
      if (last?.uses === uses) last = undefined;
    });
    return [...((await uses).get(hash) ?? [])].some((id) => !leaving.has(id));
  };
}

async function readUses({ db, sealer, viewOf }: PhotoUsesDeps): Promise<Uses> {
  const uses: Uses = new Map();
  const add = (reservationId: number, view: ReservationView | undefined) => {
    for (const hash of view === undefined ? [] : photoHashesOf(view)) {
      const users = uses.get(hash) ?? new Set();
      uses.set(hash, users.add(reservationId));
    }
  };
  for (const table of [openReservations, endedReservations]) {
    const rows = await db.select({ id: table.reservationId }).from(table);
    for (const { id } of rows) add(id, await viewOf(id));
  }
  // last, because a reservation that closes meanwhile moves here
  for (let after = -1; ; ) {
    const files = await db
      .select({ id: caseFiles.reservationId, view: caseFiles.view })
      .from(caseFiles)
      .where(and(isNull(caseFiles.photosErasedAt), gt(caseFiles.reservationId, after)))
      .orderBy(caseFiles.reservationId)
      .limit(filesAtOnce);
    // one that no key of ours opens shows its photos to no person
    for (const { id, view } of files) add(id, openJson(sealer, view, rowOf(id)));
    const newest = files.at(-1);
    if (newest === undefined) return uses;
    after = newest.id;
  }
}
