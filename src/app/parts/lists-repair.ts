import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { HandoverDb } from '../../store/handover.js';
import type { StoredRows } from '../../store/reservations/stored-rows.js';
import { rebuildLists } from '../../temporal/client/reservations/rebuild-lists.js';
import type { Logger } from '../log.js';
import { ListsBacklog } from './lists-backlog.js';

const everyMs = 10 * 60_000;
/** While many callbacks wait: four queries at once, so ten a second. */
const pauseMs = 400;
/** After as many rounds in which workflows gave no answer, lists are shown without their reservations. */
const mostRoundsWithGaps = 5;

export interface ListsRepairDeps {
  db: HandoverDb;
  log: Logger;
  notify: { client: Client };
  storedRows: StoredRows;
}

/**
 * One round of the repair of lists: writes rows that are missing, and deletes those of reservations that are not open. While many
 * callbacks wait, missing rows are read slowly, and complete lists wait for half an hour at most.
 */
export function listsRepair({ db, log, notify, storedRows }: ListsRepairDeps) {
  let dueAt = 0;
  let roundsWithGaps = 0;
  const backlog = new ListsBacklog(db);
  return async (isStopping: () => boolean) => {
    if (Date.now() < dueAt) return;
    if ((await backlog.goesFirst()) && (await storedRows.areComplete())) return;
    // a workflow that never answers must not withhold all others
    const mayLackRows = roundsWithGaps >= mostRoundsWithGaps;
    const rebuilt = await rebuildLists(notify.client, storedRows, {
      all: false,
      async before() {
        if (await backlog.isLarge()) await sleep(pauseMs);
      },
      mayLackRows,
      isStopping,
    });
    // cut short: the next round repeats it
    if (isStopping()) return;
    const { written, removed, unanswered } = rebuilt;
    if (unanswered > 0) roundsWithGaps += 1;
    if (unanswered === 0 || mayLackRows) dueAt = Date.now() + everyMs;
    if (unanswered > 0) log.warn(rebuilt, 'workflows did not answer the query for their list rows');
    else if (written + removed > 0) log.info(rebuilt, 'lists are in line with open reservations again');
  };
}
