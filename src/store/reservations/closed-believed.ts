import { and, gt, lt } from 'drizzle-orm';
import type { Believed } from '../../domain/reconciliation/believed.js';
import type { HandoverDb } from '../handover.js';
import { caseFiles } from '../schema.js';

/** Closed reservations whose period lies in [from, to), wholly or partly; instants. */
export async function closedReservations(
  db: HandoverDb,
  { from, to }: { from: number; to: number },
): Promise<Believed[]> {
  const rows = await db
    .select({
      reservationId: caseFiles.reservationId,
      carId: caseFiles.carId,
      companyId: caseFiles.companyId,
      start: caseFiles.startAt,
      end: caseFiles.endAt,
    })
    .from(caseFiles)
    .where(and(lt(caseFiles.startAt, to), gt(caseFiles.endAt, from)));
  return rows.map(({ start, end, ...row }) => ({
    ...row,
    period: start === null || end === null ? null : { start, end },
    ended: true,
  }));
}
