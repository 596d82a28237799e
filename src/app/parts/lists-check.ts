import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Lease } from '../../store/connection/lease.js';
import { leaseHolders } from '../../store/connection/lease-holder.js';
import type { Session } from '../../store/connection/session.js';
import { underLease } from '../../store/connection/under-lease.js';
import type { HandoverDb } from '../../store/handover.js';
import { type Pace, usualPace } from '../../store/reservations/row-check-plan.js';
import { createRowChecks } from '../../store/reservations/row-checks.js';
import type { StoredRows } from '../../store/reservations/stored-rows.js';
import { checkRows } from '../../temporal/client/reservations/check-rows.js';
import type { Logger } from '../log.js';
import { ListsBacklog } from './lists-backlog.js';

/** Its holder compares rows of lists with workflows. Not the leading relay's, which may have no Temporal, or be of an earlier release. */
export const listsLease = 'check of lists';

const waitMs = 1_000;
const reportEveryMs = 10 * 60_000;

export interface ListsCheckDeps {
  db: HandoverDb;
  session: () => Promise<Session>;
  log: Logger;
  notify: { client: Client };
  storedRows: StoredRows;
  /** Absent: the usual ones. */
  pace?: Pace;
  /** Between two log lines of a round under way; absent: ten minutes. */
  reportMs?: number;
}

/**
 * Compares each row of lists with its workflow where a round is due, and no other process does it. Two queries a second, ten where the
 * rows may be of another state: a database that was restored, or a release that shows more. None while many callbacks wait, for half an
 * hour at most.
 */
export function listsCheck({
  db,
  session,
  log,
  notify,
  storedRows,
  pace = usualPace,
  reportMs = reportEveryMs,
}: ListsCheckDeps) {
  const deps = { client: notify.client, checks: createRowChecks(db), rows: storedRows };
  const backlog = new ListsBacklog(db);
  return async (isStopping: () => boolean) => {
    if ((await backlog.goesFirst()) || !(await deps.checks.isDue())) return;
    if ((await leaseHolders(db, [listsLease])).length > 0) return;
    const compare = async (lease: Lease) => {
      const stops = () => isStopping() || lease.remainingMs() === 0;
      let reportedAt = performance.now();
      const report = async () => {
        if (performance.now() - reportedAt < reportMs) return;
        reportedAt = performance.now();
        const { unchecked } = await deps.checks.progress();
        log.info({ unchecked }, 'lists are being compared with the workflows');
      };
      const checked = await checkRows(deps, lease, {
        async before(isUrgent) {
          await sleep(isUrgent ? pace.urgentMs : pace.usualMs);
          await report();
          while (!stops() && (await backlog.goesFirst())) {
            await sleep(waitMs);
            await report();
          }
        },
        isStopping: stops,
      });
      if (checked === null) return;
      if (checked.unanswered > 0) log.warn(checked, 'workflows did not answer the check of their list rows');
      else if (checked.compared > 0) log.info(checked, 'lists are compared with the workflows');
    };
    await underLease(session, listsLease, compare);
  };
}
