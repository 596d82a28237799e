import type { Alerts } from '../alerts/alerts.js';
import type { HandoverDb } from '../handover.js';
import type { ListPage } from '../page.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Adoption, adoptFinding } from './adopt.js';
import { alertOfUndiscovered } from './alert.js';
import { type Finding, type FindingFilter, listFindings, readFinding } from './findings.js';

/** What people see of the findings, and do about them. */
export function createFindings(
  db: HandoverDb,
  { sealer, alerts }: { sealer: Pick<Sealer, 'seal'>; alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'> },
) {
  return {
    list: (filter: FindingFilter): Promise<ListPage<Finding>> => listFindings(db, filter),
    read: (id: number) => readFinding(db, id),
    async adopt(adoption: Omit<Adoption, 'at'>): Promise<Finding> {
      const at = Date.now();
      const adopted = await adoptFinding(db, sealer, { ...adoption, at });
      // only a reconciliation raises it: switched off, it has no alert
      await alertOfUndiscovered(db, alerts, at, { raises: false });
      return adopted;
    },
  };
}
