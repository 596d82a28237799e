import { and, eq, isNull } from 'drizzle-orm';
import { writeAudit } from '../audit/audit.js';
import type { HandoverDb } from '../db/handover.js';
import { findings, scheduleChecks } from '../db/schema.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Finding } from './findings.js';

/** A person's word whose entry of the schedule it is. `at` is an instant. */
export interface Adoption {
  finding: Finding;
  reservationId: number;
  by: string;
  reason: string;
  commandId: string;
  at: number;
}

/** Closes the card once its reservation has the facts (F49), with its entry in the audit; idempotent. */
export async function adoptFinding(
  db: HandoverDb,
  sealer: Pick<Sealer, 'seal'>,
  { finding, reservationId, by, reason, commandId, at }: Adoption,
): Promise<Finding> {
  const { id, scheduleId, carId } = finding;
  return db.transaction(async (tx) => {
    const data = { reservationId, scheduleId, carId, before: finding.state, after: 'adopted' };
    await writeAudit(tx, sealer, {
      ...{ at, by, reason, data, commandId },
      action: 'finding.adopt',
      subject: `finding/${id}`,
    });
    await tx
      .insert(scheduleChecks)
      .values({ reservationId, scheduleId })
      .onConflictDoUpdate({ target: scheduleChecks.reservationId, set: { scheduleId } });
    const [adopted] = await tx
      .update(findings)
      .set({ state: 'adopted', reservationId, closedAt: at })
      .where(and(eq(findings.id, id), isNull(findings.closedAt)))
      .returning();
    return adopted ?? finding;
  });
}
