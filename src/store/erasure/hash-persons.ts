import { and, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { BookingRequest } from '../../domain/booking/types.js';
import type { ReservationView } from '../../domain/reservation/types.js';
import { sealedRow } from '../bookings/rows.js';
import type { HandoverDb } from '../handover.js';
import { hashesOfView, rowOf } from '../reservations/case-files.js';
import { bookings, caseFiles } from '../schema.js';
import type { PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { openJson } from './unreadable.js';

export interface FindDeps {
  db: HandoverDb;
  sealer: Sealer;
  persons: PersonHashes;
}

/**
 * Computes the hashes of case files and of bookings of an earlier release that have none yet. What no key of ours opens is read
 * again the next time.
 */
export async function hashPersons(deps: FindDeps, isStopping: () => boolean = () => false): Promise<void> {
  await hashCaseFiles(deps, isStopping);
  await hashBookings(deps, isStopping);
}

const filesAtOnce = 200;

async function hashCaseFiles(
  { db, sealer, persons: hashes }: FindDeps,
  isStopping: () => boolean,
): Promise<void> {
  let files: { reservationId: number; view: Uint8Array }[];
  let after = -1;
  do {
    files = await db
      .select({ reservationId: caseFiles.reservationId, view: caseFiles.view })
      .from(caseFiles)
      .where(and(isNull(caseFiles.persons), gt(caseFiles.reservationId, after)))
      .orderBy(caseFiles.reservationId)
      .limit(filesAtOnce);
    for (const { reservationId, view: sealed } of files) {
      after = reservationId;
      const view = openJson<ReservationView>(sealer, sealed, rowOf(reservationId));
      if (view === undefined) continue;
      const persons = hashesOfView(hashes, view);
      // a closing meanwhile has computed them, with those of earlier drivers
      await db
        .update(caseFiles)
        .set({ persons })
        .where(and(eq(caseFiles.reservationId, reservationId), isNull(caseFiles.persons)));
    }
  } while (files.length === filesAtOnce && !isStopping());
}

/** A resolved booking has no request any more: its reservation is found. */
async function hashBookings(
  { db, sealer, persons: hashes }: FindDeps,
  isStopping: () => boolean,
): Promise<void> {
  const hasRequest = or(isNotNull(bookings.request), isNotNull(bookings.unsent));
  const { id, commandId, request, unsent } = bookings;
  for (let after: number | null = -1; after !== null && !isStopping(); ) {
    const rows = await db
      .select({ id, commandId, request, unsent })
      .from(bookings)
      .where(and(isNull(bookings.persons), hasRequest, gt(id, after)))
      .orderBy(id)
      .limit(filesAtOnce);
    for (const row of rows) {
      const sealed = row.request ?? row.unsent;
      const booked = sealed && openJson<BookingRequest>(sealer, sealed, sealedRow(row.commandId, 'request'));
      if (!booked) continue;
      const persons = hashes.stored([booked.driver, booked.companionInfo ?? {}]);
      await db
        .update(bookings)
        .set({ persons })
        .where(and(eq(id, row.id), isNull(bookings.erasedAt)));
    }
    after = rows.length < filesAtOnce ? null : (rows.at(-1)?.id ?? null);
  }
}
