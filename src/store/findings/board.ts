import type { Alerts } from '../alerts/alerts.js';
import type { Answers } from '../answers.js';
import type { HandoverDb } from '../handover.js';
import type { ListPage } from '../page.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Adoption, type AdoptionRequest, adoptFinding, requestOf } from './adopt.js';
import { alertOfUndiscovered } from './alert.js';
import { type Finding, type FindingFilter, listFindings, readFinding } from './findings.js';

/** Findings, as staff read and adopt them: differences between the platform's schedule and the reservations (F41-F49). */
export function createFindings(
  db: HandoverDb,
  {
    sealer,
    alerts,
    answers,
  }: {
    sealer: Pick<Sealer, 'seal'>;
    alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'>;
    answers: Answers;
  },
) {
  return {
    /** Newest first. */
    list: (filter: FindingFilter): Promise<ListPage<Finding>> => listFindings(db, filter),
    /** Undefined: there is no such finding. */
    read: (id: number) => readFinding(db, id),
    /** Whether the key of an adoption stands for another request (L21). */
    isReused: async (request: AdoptionRequest) => (await answers.read(requestOf(request))) === 'reused',
    /**
     * Closes the finding of an entry whose reservation has its facts, once per key; `reused`: the key stands for another
     * request (L21).
     */
    async adopt(adoption: Omit<Adoption, 'at'>): Promise<Finding | 'reused'> {
      const at = Date.now();
      const adopted = await adoptFinding(db, { sealer, answers }, { ...adoption, at });
      // only a reconciliation raises this alert: while it is switched off, there is none
      await alertOfUndiscovered(db, alerts, at, { raises: false });
      return adopted;
    },
  };
}
export type Findings = ReturnType<typeof createFindings>;
