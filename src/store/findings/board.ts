import type { Alerts } from '../alerts/alerts.js';
import type { HandoverDb } from '../handover.js';
import type { ListPage } from '../page.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Adoption, adoptFinding } from './adopt.js';
import { alertOfUndiscovered } from './alert.js';
import { type Finding, type FindingFilter, listFindings, readFinding } from './findings.js';

/** Findings, as staff read and adopt them: differences between the platform's schedule and the reservations (F41-F49). */
export function createFindings(
  db: HandoverDb,
  { sealer, alerts }: { sealer: Pick<Sealer, 'seal'>; alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'> },
) {
  return {
    /** Newest first. */
    list: (filter: FindingFilter): Promise<ListPage<Finding>> => listFindings(db, filter),
    /** Undefined: there is no such finding. */
    read: (id: number) => readFinding(db, id),
    /** Closes the finding of an entry whose reservation has its facts; a repeat of the same command changes nothing. */
    async adopt(adoption: Omit<Adoption, 'at'>): Promise<Finding> {
      const at = Date.now();
      const adopted = await adoptFinding(db, sealer, { ...adoption, at });
      // only a reconciliation raises this alert: while it is switched off, there is none
      await alertOfUndiscovered(db, alerts, at, { raises: false });
      return adopted;
    },
  };
}
export type Findings = ReturnType<typeof createFindings>;
