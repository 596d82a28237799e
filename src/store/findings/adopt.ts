import { and, eq, isNull } from 'drizzle-orm';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { findings, scheduleChecks } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Finding } from './findings.js';

/** A person's decision that an entry of the schedule belongs to a reservation. `at` is an instant. */
export interface Adoption {
  finding: Finding;
  reservationId: number;
  by: string;
  reason: string;
  commandId: string;
  at: number;
}

/**
 * Closes the finding once its reservation has the facts (F49), with its audit entry; idempotent. Of several decisions the
 * first counts.
 * @returns the finding afterwards; it has another reservation where a concurrent request adopted it first
 */
export async function adoptFinding(
  db: HandoverDb,
  sealer: Pick<Sealer, 'seal'>,
  { finding, reservationId, by, reason, commandId, at }: Adoption,
): Promise<Finding> {
  const { id, scheduleId, carId } = finding;
  return db.transaction(async (tx) => {
    const [adopted] = await tx
      .update(findings)
      .set({ state: 'adopted', reservationId, closedAt: at })
      .where(and(eq(findings.id, id), isNull(findings.closedAt)))
      .returning();
    const [now] = adopted ? [adopted] : await tx.select().from(findings).where(eq(findings.id, id));
    if (now?.state === 'adopted' && now.reservationId !== reservationId) return now;
    const data = { reservationId, scheduleId, carId, before: finding.state, after: 'adopted' };
    await writeAudit(tx, sealer, {
      at,
      by,
      reason,
      data,
      commandId,
      action: 'finding.adopt',
      subject: `finding/${id}`,
    });
    await tx
      .insert(scheduleChecks)
      .values({ reservationId, scheduleId })
      .onConflictDoUpdate({ target: scheduleChecks.reservationId, set: { scheduleId } });
    return now ?? finding;
  });
}
