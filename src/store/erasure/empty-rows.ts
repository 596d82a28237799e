import { eq, inArray } from 'drizzle-orm';
import type { HoldView } from '../../domain/hold/index.js';
import { erasedView } from '../../domain/reservation/erased-view.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import { Tombstones } from '../../domain/shared/tombstones.js';
import { sealedRow } from '../bookings/rows.js';
import { rowOf as holdRow } from '../holds/store.js';
import { rowOf as caseFileRow } from '../reservations/case-files.js';
import { bookings, caseFiles, type ErasureCounts, holds } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Tx } from './types.js';
import { holdViewOf, openJson } from './unreadable.js';

/**
 * @param photosLeft hashes of photos that are not deleted yet: the retention of photos finds them here
 * @returns false: there was one, and no key of ours opens it
 */
export async function emptyCaseFile(
  tx: Tx,
  sealer: Sealer,
  {
    reservationId,
    at,
    lastView,
    photosLeft = [],
  }: {
    reservationId: number;
    at: number;
    lastView?: ReservationView | undefined;
    photosLeft?: readonly string[] | undefined;
  },
): Promise<boolean> {
  const is = eq(caseFiles.reservationId, reservationId);
  const [found] = await tx.select({ view: caseFiles.view }).from(caseFiles).where(is);
  const read = found && openJson<ReservationView>(sealer, found.view, caseFileRow(reservationId));
  const known = read ?? (lastView && { ...lastView, closed: found !== undefined });
  if (known === undefined) return true;
  const { settledMarks: _, ...view } = known as ReservationView & { settledMarks?: unknown };
  const left = { ...erasedView(view), ...(photosLeft.length > 0 && { photosLeft }) };
  const content = {
    view: sealer.seal(Buffer.from(JSON.stringify(left)), caseFileRow(reservationId)),
    persons: [],
    erasedAt: at,
    photosErasedAt: photosLeft.length > 0 ? null : at,
  };
  if (found !== undefined) await tx.update(caseFiles).set(content).where(is);
  else await tx.insert(caseFiles).values({ reservationId, closedAt: at, attention: [], ...content });
  return found === undefined || read !== undefined;
}

/** The mark of the request stays a mark, of nothing: a repeat of it is a request that was made before with another content. */
export async function emptyBookings(
  tx: Tx,
  sealer: Sealer,
  { bookings: ids, at }: { bookings: readonly string[]; at: number },
): Promise<number> {
  for (const commandId of ids) {
    const mark = sealer.seal(Buffer.from('erased'), sealedRow(commandId, 'mark'));
    await tx
      .update(bookings)
      .set({ mark, settlementMark: null, message: null, unsent: null, persons: [], erasedAt: at })
      .where(eq(bookings.commandId, commandId));
  }
  return ids.length;
}

export async function emptyHolds(
  tx: Tx,
  sealer: Sealer,
  { holds: ids, at }: { holds: readonly string[]; at: number },
): Promise<Pick<ErasureCounts, 'holds' | 'unreadable'>> {
  const rows =
    ids.length === 0
      ? []
      : await tx
          .select()
          .from(holds)
          .where(inArray(holds.holdId, [...ids]));
  let unreadable = 0;
  for (const row of rows) {
    const { holdId } = row;
    const known = openJson<HoldView>(sealer, row.view, holdRow(holdId));
    if (known === undefined) unreadable += 1;
    const left = known === undefined ? holdViewOf(row) : new Tombstones().replace(known);
    const emptied = Buffer.from(JSON.stringify(left));
    await tx
      .update(holds)
      .set({ view: sealer.seal(emptied, holdRow(holdId)), erasedAt: at })
      .where(eq(holds.holdId, holdId));
  }
  return { holds: rows.length, unreadable };
}
