import { and, eq, isNull } from 'drizzle-orm';
import type { Answers } from '../answers.js';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { findings, scheduleChecks } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Finding } from './findings.js';

/** What a person requests with a key: that an entry of the schedule belongs to a reservation. */
export interface AdoptionRequest {
  finding: Pick<Finding, 'id'>;
  reservationId: number;
  /** Asserted with it; absent: none. */
  status?: number | undefined;
  reason: string;
  commandId: string;
}

/** The person's decision. `at` is an instant. */
export interface Adoption extends AdoptionRequest {
  finding: Finding;
  by: string;
  at: number;
}

/** One key may adopt several findings: each is a command of its own. */
export function requestIdOf({ finding, commandId }: Pick<AdoptionRequest, 'finding' | 'commandId'>): string {
  return `${commandId}.finding-${finding.id}`;
}

const action = 'finding.adopt';

/** The request as `Answers` stores it (L21). */
export function requestOf({ reservationId, status, reason, ...of }: AdoptionRequest) {
  return { commandId: requestIdOf(of), action, content: { reservationId, status, reason } };
}

/**
 * Closes the finding once its reservation has the facts (F49), with its audit entry; idempotent. Of several decisions the
 * first counts.
 * @returns the finding afterwards, `reused` where the key stands for another request (L21); it has another reservation where a concurrent request adopted it first
 */
export async function adoptFinding(
  db: HandoverDb,
  { sealer, answers }: { sealer: Pick<Sealer, 'seal'>; answers: Answers },
  adoption: Adoption,
): Promise<Finding | 'reused'> {
  const { reservationId } = adoption;
  return db.transaction((tx) =>
    answers.once<Finding>(
      tx,
      requestOf(adoption),
      () => adoptIn(tx, sealer, adoption),
      (finding) => finding.reservationId === reservationId,
    ),
  );
}

async function adoptIn(
  tx: Pick<HandoverDb, 'select' | 'insert' | 'update'>,
  sealer: Pick<Sealer, 'seal'>,
  { finding, reservationId, by, reason, commandId, at }: Adoption,
): Promise<Finding> {
  const { id, scheduleId, carId } = finding;
  const [adopted] = await tx
    .update(findings)
    .set({ state: 'adopted', reservationId, closedAt: at })
    .where(and(eq(findings.id, id), isNull(findings.closedAt)))
    .returning();
  const [now] = adopted ? [adopted] : await tx.select().from(findings).where(eq(findings.id, id));
  if (now?.state === 'adopted' && now.reservationId !== reservationId) return now;
  const data = { reservationId, scheduleId, carId, before: finding.state, after: 'adopted' };
  await writeAudit(tx, sealer, { at, by, reason, data, commandId, action, subject: `finding/${id}` });
  await tx
    .insert(scheduleChecks)
    .values({ reservationId, scheduleId })
    .onConflictDoUpdate({ target: scheduleChecks.reservationId, set: { scheduleId } });
  return now ?? finding;
}
