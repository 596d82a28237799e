import { and, gt, isNull } from 'drizzle-orm';
import type { ReservationView } from '../../domain/reservation/types.js';
import { forEach } from '../../domain/shared/for-each.js';
import type { HandoverDb } from '../handover.js';
import { rowOf } from '../reservations/case-files.js';
import { caseFiles, endedReservations, openReservations } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { photoHashesOf } from './subjects.js';
import { openJson } from './unreadable.js';

interface PhotoUsesDeps {
  db: HandoverDb;
  sealer: Pick<Sealer, 'open'>;
  /** Of a reservation without a case file; undefined: Temporal has none. @throws where it does not answer */
  viewOf(reservationId: number): Promise<ReservationView | undefined>;
  /** The same of one whose workflow was ended in Temporal; undefined also where its workflow fails every query. */
  viewOfEnded(reservationId: number): Promise<ReservationView | undefined>;
}

/** Whether another reservation has a photo; `unanswered`: one that may have it does not answer, which is why. */
type PhotoUse = 'used' | 'unused' | { unanswered: unknown };

interface Uses {
  /** Reservations by the hashes of their photos. */
  byHash: Map<string, Set<number>>;
  /** Reservations whose photos are unknown, and why. */
  unanswered: Map<number, unknown>;
}

const freshForMs = 60_000;
const filesAtOnce = 200;
/** A query may replay a whole history: what workers have to do goes first. */
const queriesAtOnce = 4;
/** Where so many do not answer, no worker does: the rest is not queried. */
const mostUnanswered = 20;

interface PhotoUses {
  /**
   * Whether another reservation has the photo of one that is being erased: 0.3.0, and `CODEC_DATA_KEYS=off`, store equal photos once.
   * @param isStopping once it returns true no further reservation is queried: it counts as one that does not answer
   * @throws what the database throws
   */
  useElsewhere(hash: string, reservationId: number, isStopping?: () => boolean): Promise<PhotoUse>;
  /** The reservation was not erased after all: what it has, it uses. */
  useAgain(reservationId: number): void;
}

/** No index has this, so every view is read, and serves for a minute. */
export function createPhotoUses(deps: PhotoUsesDeps): PhotoUses {
  /** Their rows may still show their photos: the last of several that share one deletes it. */
  const leaving = new Set<number>();
  let last: { readAt: number; uses: Uses } | undefined;
  let reading: Promise<Uses> | undefined;
  const read = async (isStopping: () => boolean): Promise<Uses> => {
    const uses = await readUses(deps, isStopping);
    if (!isStopping()) last = { readAt: Date.now(), uses };
    return uses;
  };
  const current = (isStopping: () => boolean): Uses | Promise<Uses> => {
    if (last !== undefined && Date.now() - last.readAt <= freshForMs) return last.uses;
    reading ??= read(isStopping).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    async useElsewhere(hash, reservationId, isStopping = () => false) {
      leaving.add(reservationId);
      const { byHash, unanswered } = await current(isStopping);
      if ([...(byHash.get(hash) ?? [])].some((id) => !leaving.has(id))) return 'used';
      const other = [...unanswered].find(([id]) => !leaving.has(id));
      return other === undefined ? 'unused' : { unanswered: other[1] };
    },
    useAgain: (reservationId) => void leaving.delete(reservationId),
  };
}

async function readUses(
  { db, sealer, viewOf, viewOfEnded }: PhotoUsesDeps,
  isStopping: () => boolean,
): Promise<Uses> {
  const byHash: Uses['byHash'] = new Map();
  const unanswered: Uses['unanswered'] = new Map();
  const add = (reservationId: number, view: ReservationView | undefined) => {
    for (const hash of view === undefined ? [] : photoHashesOf(view)) {
      const users = byHash.get(hash) ?? new Set();
      byHash.set(hash, users.add(reservationId));
    }
  };
  let reason: unknown = new Error('the read was stopped');
  for (const [table, read] of [
    [openReservations, viewOf],
    [endedReservations, viewOfEnded],
  ] as const) {
    const rows = await db.select({ id: table.reservationId }).from(table);
    await forEach(rows, queriesAtOnce, async ({ id }) => {
      if (isStopping() || unanswered.size >= mostUnanswered) {
        unanswered.set(id, reason);
        return;
      }
      try {
        add(id, await read(id));
      } catch (error) {
        reason = error;
        unanswered.set(id, error);
      }
    });
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
    if (newest === undefined) return { byHash, unanswered };
    after = newest.id;
  }
}
